import type { MonitorView, ServiceView, SiteAddress, SiteView } from "../../view.ts";
import type { Language } from "../../words/language.ts";

/** Props of the parts of a service page. */
export interface ServiceProps {
  readonly view: SiteView;
  readonly service: ServiceView;
  readonly language: Language;
}

/** Props of the parts of a monitor page. */
export interface MonitorProps {
  readonly address: SiteAddress;
  readonly monitor: MonitorView;
  readonly language: Language;
}
