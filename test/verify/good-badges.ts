import { crc32, deflateSync } from "node:zlib";

/** The badges of one monitor by file name, written independently of the publisher, so that they do not share its mistakes. */
export function drawBadges(value: string): Readonly<Record<string, Buffer>> {
  const svg = Buffer.from(drawSvg(value));
  return {
    "badge.svg": svg,
    "badge.png": drawPng(180, 40),
    "badge.json": Buffer.from(
      JSON.stringify({ schemaVersion: 1, label: "аптайм", message: value, color: "1a7f37" }),
    ),
    "badge-24h.svg": Buffer.from(drawSvg("100%")),
    "badge-7d.svg": svg,
    "badge-90d.svg": Buffer.from(drawSvg("нет данных")),
  };
}

function drawSvg(value: string): string {
  const words = `аптайм: ${value}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20" role="img" aria-label="${words}"><title>${words}</title><text>${value}</text></svg>`;
}

/** An all-grey PNG. */
function drawPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Bit depth 8; the other zeros mean greyscale without interlacing.
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height, 0x80);
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0;
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    toChunk("IHDR", header),
    toChunk("IDAT", deflateSync(rows)),
    toChunk("IEND", Buffer.alloc(0)),
  ]);
}

function toChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
