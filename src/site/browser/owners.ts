/**
 * The script of the pages on which owners add their sites and manage them. The key of a monitor stands in the fragment of the page, and
 * leaves it only in the header `Authorization`. Source: docs/monitors/owners.md, "Keys".
 */
import { byId, data } from "./owner-context.ts";
import { startManage } from "./owner-manage.ts";
import { startNew } from "./owner-new.ts";

// Open for those who have no script.
byId("curl", HTMLDetailsElement).open = false;
if (data["owner"] === "new") startNew();
else startManage();
