import type { Document } from "../../../src/model/service/snapshot.ts";

/** The content of a document of JSON. */
export function contentOf({ body }: Document) {
  return JSON.parse(textOf({ body }));
}

/** The text of a document. */
export function textOf({ body }: Pick<Document, "body">): string {
  return new TextDecoder().decode(body);
}
