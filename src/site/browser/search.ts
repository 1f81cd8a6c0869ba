/** The search of the list: which services a typed text means. Pure. Source: docs/website.md, In the browser. */

/** The same keys on two keyboards. */
const LATIN_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`";
const CYRILLIC_KEYS = "йцукенгшщзхъфывапролджэячсмитьбюё";

/** Russian letters in Latin ones that sound alike. Source: order of the Foreign Ministry 2113 of 12 February 2020, simplified. */
const SOUNDS =
  "а:a б:b в:v г:g д:d е:e ё:e ж:zh з:z и:i й:i к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:h ц:ts ч:ch ш:sh щ:sh ъ: ы:i ь: э:e ю:iu я:ia";
const SOUND_OF = new Map(
  SOUNDS.split(" ").map((pair): [string, string] => [pair.slice(0, 1), pair.slice(2)]),
);

/** Spellings of one sound in Latin letters, so that "зум" is "zoom" and "дискорд" "discord". In this order. */
const SAME_SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/ph/g, "f"],
  [/kh/g, "h"],
  [/oo/g, "u"],
  [/ee/g, "i"],
  [/x/g, "ks"],
  [/c(?!h)|q/g, "k"],
  [/w/g, "v"],
  [/[yj]/g, "i"],
];

/** From this length on a word may have a typo. */
const TYPO_LENGTH = 5;
/** From this length on a text is found inside a word. */
const INSIDE_LENGTH = 4;
const MOST_NEAR = 3;

/** A service with the names that it is found by. */
export interface Searchable<Item> {
  readonly item: Item;
  /** As written in `data-search`: names separated by `|`. */
  readonly names: string;
}

export interface SearchResult<Item> {
  /** Best first. */
  readonly found: readonly Item[];
  /** Services with similar names, if none was found. */
  readonly near: readonly Item[];
}

/** The text that the same keys give on the other keyboard. */
function retype(text: string, from: string, to: string): string {
  return [...text].map((key) => to[from.indexOf(key)] ?? key).join("");
}

/** Words by their sound: Latin letters and digits, doubled ones once. */
function soundsOf(text: string): readonly string[] {
  let sound = text.toLowerCase();
  for (const [spelling, plain] of SAME_SOUNDS) sound = sound.replace(spelling, plain);
  return [...sound]
    .map((letter) => SOUND_OF.get(letter) ?? letter)
    .join("")
    .replace(/(.)\1/g, "$1")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** Words in which unstressed vowels that sound alike are the same, so that "тилиграм" is "телеграм". */
const reduceVowels = (words: readonly string[]): readonly string[] =>
  words.map((word) => word.replace(/o/g, "a").replace(/e/g, "i"));

/** Whether two words differ by at most one missing, extra, wrong or swapped letter. */
function isOneTypo(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [restOfOne, restOfOther] = [one.slice(same), other.slice(same)];
  const [next, nextOther] = [restOfOne.slice(1), restOfOther.slice(1)];
  return (
    next === nextOther ||
    next === restOfOther ||
    restOfOne === nextOther ||
    (restOfOne[0] === restOfOther[1] &&
      restOfOne[1] === restOfOther[0] &&
      restOfOne.slice(2) === restOfOther.slice(2))
  );
}

/** Whether a typed word is a word, or its beginning, with one typo. */
function isBeginningWithTypo(typed: string, word: string): boolean {
  return (
    typed.length >= TYPO_LENGTH &&
    [-1, 0, 1].some((more) => isOneTypo(typed, word.slice(0, typed.length + more)))
  );
}

/** From this distance on a name fits with a typo. */
const TYPO = 5;

/** How well a service fits, 0 best; Infinity: not at all. Spaces do not matter in whole names. */
function distanceOf(typed: readonly string[], names: readonly (readonly string[])[]): number {
  const text = typed.join("");
  const whole = names.map((words) => words.join(""));
  const all = names.flat();
  const begins = (part: string): boolean => all.some((word) => word.startsWith(part));
  if (whole.includes(text)) return 0;
  if (whole.some((name) => name.startsWith(text))) return 1;
  if (names.some((words) => typed.every((part) => words.some((word) => word.startsWith(part)))))
    return 2;
  if (typed.every(begins)) return 3;
  if (text.length >= INSIDE_LENGTH && whole.some((name) => name.includes(text))) return 4;
  if (text.length >= TYPO_LENGTH && whole.some((name) => isOneTypo(text, name))) return TYPO;
  const fits = (part: string): boolean =>
    begins(part) || all.some((word) => isBeginningWithTypo(part, word));
  return typed.every(fits) || whole.some((name) => isBeginningWithTypo(text, name))
    ? TYPO + 1
    : Infinity;
}

/** Letters that both begin with. */
function sharedLength(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return same;
}

/** Keys that give a letter in the Russian layout only. */
const ONLY_RUSSIAN_LETTERS = /[[\];',.`]/;
interface Hit<Item> {
  readonly item: Item;
  readonly distance: number;
}

/** Best first; those with a typo only if there are no others. */
function findHits<Item>(
  known: readonly Known<Item>[],
  typed: readonly string[],
): readonly Hit<Item>[] {
  if (typed.length === 0) return [];
  const all = known.map(({ item, names }): Hit<Item> => {
    return { item, distance: distanceOf(typed, names) };
  });
  const best = Math.min(...all.map(({ distance }) => distance));
  // `toSorted` is too new for some phones.
  return [0, 1, 2, 3, 4, TYPO, TYPO + 1].flatMap((step) =>
    all.filter(({ distance }) => distance === step && (step < TYPO || step === best)),
  );
}

type Names = readonly (readonly string[])[];

/** What a word says for a service: its letters count thrice as a whole name, twice at the beginning of one. */
function weigh(word: string, names: Names): number {
  // Two letters mean nothing as the beginning of a word.
  if (word.length < (names.flat().includes(word) ? 2 : 3)) return 0;
  const distance = distanceOf([word], names);
  return distance < 4 ? word.length * Math.max(1, 3 - distance) : 0;
}

/** The same for a word with a typo, or one that is longer than a name by its ending: "телеграмом". */
function weighLoosely(word: string, names: Names): number {
  if (word.length < TYPO_LENGTH) return 0;
  const isInflected = names
    .flat()
    .some((name) => name.length >= TYPO_LENGTH && word.startsWith(name));
  return isInflected || Number.isFinite(distanceOf([word], names)) ? word.length : 0;
}

/** Services that have some of the words, for a text that none has as a whole: "роблокс не работает", "ютуб премиум". */
function findByWord<Item>(
  known: readonly Known<Item>[],
  typed: readonly string[],
): readonly Hit<Item>[] {
  for (const weightOf of [weigh, weighLoosely]) {
    const hits = known
      .map(({ item, names }): Hit<Item> => {
        const weights = typed.map((word) => weightOf(word, names)).filter((weight) => weight > 0);
        // Of equal sums the one of more words.
        const sum = weights.reduce((all, weight) => all + weight, weights.length / 100);
        return { item, distance: -sum };
      })
      .filter(({ distance }) => distance < 0);
    const best = Math.min(...hits.map(({ distance }) => distance));
    if (hits.length > 0)
      return [true, false].flatMap((is) => hits.filter((hit) => (hit.distance === best) === is));
  }
  return [];
}

/** The names of a service, as words by their sound. */
interface Known<Item> {
  readonly item: Item;
  readonly names: readonly (readonly string[])[];
}

/**
 * The services that a text means: by the beginning of a name, by the sound across alphabets, inside a name, or with one typo in words
 * of five letters and more. If nothing fits, or if the text has keys of Russian letters and no name is exactly it, the same is tried
 * in the other keyboard layout, and then each word alone. An empty text means all services.
 */
export function searchServices<Item>(
  services: readonly Searchable<Item>[],
  text: string,
): SearchResult<Item> {
  const written = text.trim().toLowerCase();
  if (written === "") return { found: services.map(({ item }) => item), near: [] };
  const known = services.map(({ item, names }): Known<Item> => {
    return { item, names: names.split("|").map(soundsOf) };
  });
  let hits = findHits(known, soundsOf(written));
  // An address: gmail.com, яндекс ру
  const named = findHits(known, soundsOf(written.replace(/\.[a-zа-я]+$| (?:ru|ру)$/, "")));
  if (hits.length === 0 || (hits[0]?.distance !== 0 && named[0]?.distance === 0)) hits = named;
  let best = hits[0]?.distance ?? Infinity;
  if (best > 3) {
    const reduced = known.map(({ item, names }) => ({ item, names: names.map(reduceVowels) }));
    const alike = findHits(reduced, reduceVowels(soundsOf(written)));
    if ((alike[0]?.distance ?? best) < Math.min(best, TYPO)) {
      hits = alike;
      best = 0;
    }
  }
  if (best > 0 && (hits.length === 0 || ONLY_RUSSIAN_LETTERS.test(written))) {
    const retyped = [
      retype(written, LATIN_KEYS, CYRILLIC_KEYS),
      retype(written, CYRILLIC_KEYS, LATIN_KEYS),
    ].filter((text) => !ONLY_RUSSIAN_LETTERS.test(text));
    const found = retyped.map((text) => findHits(known, soundsOf(text)));
    hits = found.find(([hit]) => hit !== undefined && hit.distance < best) ?? hits;
    const isRetyped = ONLY_RUSSIAN_LETTERS.test(written) && /[a-z]/.test(written);
    for (const text of isRetyped ? [...retyped, written] : [written, ...retyped])
      if (hits.length === 0) hits = findByWord(known, soundsOf(text));
  }
  const found = hits.map(({ item }) => item);
  return { found, near: found.length > 0 ? [] : findNear(known, written) };
}

/** Services whose names begin with the same three letters or more, most alike first. */
function findNear<Item>(known: readonly Known<Item>[], text: string): readonly Item[] {
  const sound = soundsOf(text).join("");
  const all = known.map(({ item, names }) => {
    return { item, shared: Math.max(...names.map((words) => sharedLength(words.join(""), sound))) };
  });
  const near: Item[] = [];
  for (let length = sound.length; length > 2; length -= 1)
    near.push(...all.filter(({ shared }) => shared === length).map(({ item }) => item));
  return near.slice(0, MOST_NEAR);
}
