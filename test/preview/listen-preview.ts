import {
  type FetchHandler,
  listen,
  type ListenOptions,
  type Listening,
} from "../../src/http-server/listen.ts";
import { previewFault } from "../../src/preview/front.ts";

/** Serves the handler with `listen`; malformed requests get the responses of the preview. */
export function listenPreview(
  handler: FetchHandler,
  options: Partial<Pick<ListenOptions, "answerFault">> & Omit<ListenOptions, "answerFault">,
): Promise<Listening> {
  return listen(handler, { answerFault: previewFault, ...options });
}
