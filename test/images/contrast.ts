/** Relative luminance of `#rgb` or `#rrggbb`. Source: WCAG 2.2, "relative luminance". */
function luminance(color: string): number {
  const digits = color.slice(1);
  const pairs = digits.length === 3 ? Array.from(digits, (digit) => digit + digit) : [];
  const channels = pairs.length === 3 ? pairs : (digits.match(/../gu) ?? []);
  const [red = 0, green = 0, blue = 0] = channels.map((pair) => {
    const value = Number.parseInt(pair, 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two such colours, from 1 to 21. Source: WCAG 2.2, "contrast ratio". */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
