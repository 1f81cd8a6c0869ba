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

/** From this length on a text may have a typo, and is found inside a name as it is written. */
const TYPO_LENGTH = 5;
const INSIDE_LENGTH = 4;
const LONG_LENGTH = 7;
/** Similar names begin with as many letters. */
const NEAR_LENGTH = 4;
const MAX_NEAR = 3;

/** Endings of Russian nouns, and of pet names: "телегой", "озончик". */
const ENDING = /(?:ами|ями|ого|ому|ах|ях|ов|ев|ой|ей|ом|ем|ам|ям|ую|ая|ое|ые|[аяоеиыуюьй])$/;
const PET_ENDING = /(?:[оеа]чк[аеуи]|чик|ик|ок|ка|ки)$/;
const STEM_LENGTH = 3;
const PET_LENGTH = 4;

/** Words around a name that are parts of names as well, or their beginnings. Others are left out by themselves. */
const AROUND =
  "а в во и из к на не о от по с со у что как где почему сегодня сейчас опять работает работать сбой упал вход войти приложение сайт онлайн веб мессенджер отслеживание доставка not working down login app web";
/** With one of these a name is that of another product, unless the service has the word as well: "озон банк". */
const PRODUCTS =
  "банк bank такси taxi музыка music маркет market почта mail pay пэй пей еда лавка драйв travel путешествия диск disk видео video";

/** Keys that give a letter in the Russian layout only. */
const ONLY_RUSSIAN_LETTERS = /[[\];',.`]/;

/** Ends of addresses. Other dots are those of names: "яндекс.еда". */
const ADDRESS =
  /^(?:https?:\/\/)?(?:www\.|m\.|web\.)?([^\s/]+?)\.(?:ru|рф|com|org|net|io|us|ai|me|su|gg|app|tv|online)(?:\/.*)?$/;

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

/** A text by its sound: Latin letters and digits, doubled ones once, but for a text of a single one. */
function soundOf(text: string): string {
  let sound = text;
  for (const [spelling, plain] of SAME_SOUNDS) sound = sound.replace(spelling, plain);
  const letters = [...sound].map((letter) => SOUND_OF.get(letter) ?? letter).join("");
  const plain = letters.replace(/[^a-z0-9]/g, "");
  return plain.length > 2 ? plain.replace(/(.)\1/g, "$1") : plain;
}

const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[a-zа-яё0-9]+/g) ?? [];

const without =
  (ending: RegExp, shortest: number) =>
  (word: string): string => {
    const stem = word.replace(ending, "");
    return stem.length < shortest ? word : stem;
  };
const stemOf = without(ENDING, 2);
const petStemOf = without(PET_ENDING, PET_LENGTH);

/** A text in the forms that are compared. */
interface Text {
  readonly written: string;
  readonly sound: string;
  /** The sound without endings; without those of pet names; with unstressed vowels that sound alike as one: "тилиграм". */
  readonly stem: string;
  readonly pet: string;
  readonly vague: string;
  /** Its words by their sound, and without endings. */
  readonly words: readonly string[];
  readonly stems: readonly string[];
}

function textOf(words: readonly string[]): Text {
  const sound = soundOf(words.join(""));
  return {
    written: words.join(""),
    sound,
    stem: soundOf(words.map(stemOf).join("")),
    pet: soundOf(words.map(petStemOf).join("")),
    vague: sound.replace(/o/g, "a").replace(/e/g, "i"),
    words: words.map(soundOf),
    stems: words.map((word) => soundOf(stemOf(word))),
  };
}

/** Whether two words differ by at most one missing, extra, wrong or swapped letter. The first is right in all but long words. */
function isOneTypo(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  if (same === 0 && one.length < LONG_LENGTH) return false;
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

type Fits = (typed: Text, name: Text) => boolean;

/** A text is this name: as it sounds, or declined. */
const isName: Fits = (typed, name) =>
  typed.sound === name.sound ||
  (typed.stem.length >= STEM_LENGTH && [name.sound, name.stem].includes(typed.stem)) ||
  (typed.pet !== typed.sound && typed.pet === name.sound);

/** All words of a text are in this name: "диск яндекса". */
const IN_ANY_ORDER: Fits = ({ stems }, name) =>
  stems.every((stem) => stem.length > 2 && name.stems.includes(stem));

/** A text is part of this name, surely enough to come before other layouts and mistakes. */
const BEGINNINGS: readonly Fits[] = [
  (typed, name) => name.sound.startsWith(typed.sound),
  IN_ANY_ORDER,
  (typed, name) => typed.words.every((word) => name.words.some((one) => one.startsWith(word))),
  ({ written }, name) =>
    written.length >= INSIDE_LENGTH &&
    (name.written.startsWith(written) || name.written.endsWith(written)),
];

/** A text is this name with a mistake. */
const MISTAKES: readonly Fits[] = [
  (typed, name) => typed.pet !== typed.sound && name.sound.startsWith(typed.pet),
  (typed, name) => typed.vague.length >= INSIDE_LENGTH && typed.vague === name.vague,
  (typed, name) =>
    typed.sound.length >= TYPO_LENGTH &&
    (isOneTypo(typed.sound, name.sound) ||
      (typed.stem.length >= TYPO_LENGTH && isOneTypo(typed.stem, name.stem))),
  (typed, name) =>
    typed.sound.length >= TYPO_LENGTH &&
    [-1, 0, 1].some((more) =>
      isOneTypo(typed.sound, name.sound.slice(0, typed.sound.length + more)),
    ),
];

/** The forms of the names of a list, which stay the same from key to key. */
const read = new Map<string, readonly Text[]>();

/** The names of a text that separates them by `|`, in the forms that are compared. */
function readNames(names: string): readonly Text[] {
  const known = read.get(names) ?? names.split("|").map((name) => textOf(wordsOf(name)));
  read.set(names, known);
  return known;
}

type Known<Item> = readonly { readonly item: Item; readonly names: readonly Text[] }[];

function fitting<Item>(known: Known<Item>, typed: Text, fits: Fits): readonly Item[] {
  if (typed.sound === "") return [];
  return known
    .filter(({ names }) => names.some((name) => fits(typed, name)))
    .map(({ item }) => item);
}

/** All that fit in some way, the surer ones first. */
function inOrder<Item>(known: Known<Item>, typed: Text, ways: readonly Fits[]): readonly Item[] {
  return [...new Set(ways.flatMap((fits) => fitting(known, typed, fits)))];
}

const AROUND_WORDS = new Set(wordsOf(AROUND));
const PRODUCT_STEMS = new Set(wordsOf(PRODUCTS).map((word) => soundOf(stemOf(word))));

/** Runs of words, those with more words first, then those with more letters. */
function* phrasesOf(words: readonly string[]): Generator<readonly string[]> {
  const lettersOf = (run: readonly string[]): number => run.join("").length;
  for (let length = words.length; length > 0; length -= 1) {
    const runs = words.slice(length - 1).map((_, from) => words.slice(from, from + length));
    // `toSorted` is too new for some phones.
    for (let letters = lettersOf(words); letters > 0; letters -= 1)
      yield* runs.filter((run) => lettersOf(run) === letters);
  }
}

/** The services of the longest run of words that is a name; "stranger" if that is the name of a service that is not covered. */
function byPhrase<Item>(
  known: Known<Item>,
  words: readonly string[],
  strangers: readonly Text[],
): readonly Item[] | "stranger" {
  for (const phrase of phrasesOf(words)) {
    const typed = textOf(phrase);
    // One letter among others means nothing.
    if (typed.sound.length < Math.min(2, words.length)) continue;
    const found = known.filter(({ names }) => names.some((name) => isName(typed, name)));
    if (found.length === 0 && strangers.some((name) => isName(typed, name))) return "stranger";
    const products = words
      .filter((word) => !phrase.includes(word))
      .map((word) => soundOf(stemOf(word)))
      .filter((stem) => PRODUCT_STEMS.has(stem));
    const whole = found.filter(({ names }) =>
      products.every((stem) =>
        names.some(({ sound, stems }) => stems.includes(stem) || sound.endsWith(stem)),
      ),
    );
    if (whole.length > 0) return whole.map(({ item }) => item);
    if (found.length > 0) return "stranger";
  }
  return [];
}

/**
 * The services that a text means: a whole name, declined or in other letters, the beginning of one, the same on the other keyboard, a
 * name among other words, or a name with one mistake. A name of `strangers`, which are not covered, finds nothing. An empty text means
 * all services.
 *
 * @param strangers names separated by `|`
 */
export function searchServices<Item>(
  services: readonly Searchable<Item>[],
  text: string,
  strangers = "",
): SearchResult<Item> {
  const written = text.trim().toLowerCase();
  if (written === "") return { found: services.map(({ item }) => item), near: [] };
  const known = services.map(({ item, names }) => ({ item, names: readNames(names) }));
  const others = readNames(strangers);
  const whole = textOf(wordsOf(written));
  const exact = fitting(known, whole, (typed, name) => typed.sound === name.sound);
  const address = ADDRESS.exec(written)?.[1];
  if (address !== undefined && exact.length === 0) {
    const label = textOf(wordsOf(address));
    return { found: fitting(known, label, isName), near: [] };
  }
  const useful = usefulWords(written);
  const typed = textOf(useful);
  const retyped = retypedWords(written);
  const inAnyOrder = useful.length > 1 ? fitting(known, typed, IN_ANY_ORDER) : [];
  const sure = exact.length > 0 ? exact : inAnyOrder;
  // With keys that are letters in the Russian layout only, words are those of the other keyboard.
  const isRetyped =
    exact.length === 0 && /[a-z]/.test(written) && ONLY_RUSSIAN_LETTERS.test(written);
  const named = sure.length > 0 ? sure : isRetyped ? [] : byPhrase(known, useful, others);
  if (named === "stranger") return { found: [], near: [] };
  const ofPhrases = () =>
    retyped
      .map((words) => byPhrase(known, words, others))
      .flatMap((hits) => (hits === "stranger" ? [] : hits));
  const ofLongWords = (ways: readonly Fits[]) =>
    useful
      .filter((word) => word.length >= TYPO_LENGTH)
      .flatMap((word) => inOrder(known, textOf([word]), ways));
  const found = [
    () => [...named, ...(exact.length > 0 ? inOrder(known, typed, BEGINNINGS) : [])],
    () => retyped.flatMap((words) => fitting(known, textOf(words), isName)),
    () => (isRetyped ? ofPhrases() : []),
    () => inOrder(known, typed, BEGINNINGS),
    () => ofLongWords(BEGINNINGS.slice(0, 2)),
    ofPhrases,
    () => retyped.flatMap((words) => inOrder(known, textOf(words), BEGINNINGS.slice(0, 1))),
    () => inOrder(known, typed, MISTAKES),
    () => ofLongWords(MISTAKES.slice(1, 3)),
  ].reduce<readonly Item[]>((hits, next) => (hits.length > 0 ? hits : next()), []);
  const unique = [...new Set(found)];
  return { found: unique, near: unique.length > 0 ? [] : findNear(known, typed.sound) };
}

/** Its words as the same keys give them on the other keyboard. */
function retypedWords(written: string): readonly (readonly string[])[] {
  return [retype(written, LATIN_KEYS, CYRILLIC_KEYS), retype(written, CYRILLIC_KEYS, LATIN_KEYS)]
    .filter((one) => !ONLY_RUSSIAN_LETTERS.test(one))
    .map(usefulWords);
}

/** Without those that are only around a name. */
function usefulWords(text: string): readonly string[] {
  return wordsOf(text).filter((word) => !AROUND_WORDS.has(word));
}

/** Services whose names begin with the same letters, most alike first. */
function findNear<Item>(known: Known<Item>, sound: string): readonly Item[] {
  const near: Item[] = [];
  for (let length = sound.length; length >= NEAR_LENGTH; length -= 1)
    for (const { item, names } of known)
      if (
        !near.includes(item) &&
        names.some((name) => name.sound.startsWith(sound.slice(0, length)))
      )
        near.push(item);
  return near.slice(0, MAX_NEAR);
}
