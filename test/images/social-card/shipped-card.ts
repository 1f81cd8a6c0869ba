import type { CardContent } from "../../../src/model/monitor/pictures.ts";

/** What `data/assets/card.png` shows, the picture for links to `/about` and `/api`: they have no state. */
export const SHIPPED_CARD: CardContent = {
  title: "Статус сервисов",
  label: "Сбой, блокировка или проблема у меня?",
  sublabel: "Is it down, is it blocked, or is it me?",
  color: "none",
  site: "",
};
