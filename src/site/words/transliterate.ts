/** How Russian letters are usually written with Latin ones. Source: order of the Foreign Ministry 2113 of 12 February 2020, simplified. */
const LATIN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    а: "a",
    б: "b",
    в: "v",
    г: "g",
    д: "d",
    е: "e",
    ё: "e",
    ж: "zh",
    з: "z",
    и: "i",
    й: "y",
    к: "k",
    л: "l",
    м: "m",
    н: "n",
    о: "o",
    п: "p",
    р: "r",
    с: "s",
    т: "t",
    у: "u",
    ф: "f",
    х: "h",
    ц: "ts",
    ч: "ch",
    ш: "sh",
    щ: "sch",
    ъ: "",
    ы: "y",
    ь: "",
    э: "e",
    ю: "yu",
    я: "ya",
  }),
);

/** A lower-case text with Latin letters in place of Russian ones, for those who search with another keyboard. */
export function transliterate(text: string): string {
  return [...text].map((letter) => LATIN.get(letter) ?? letter).join("");
}
