import type { AnnotationKind, Category, Service } from "../../model/service/catalogue.ts";
import { inLanguages, type Language, type Words } from "./language.ts";

/** The names of a service. */
export type ServiceNames = Pick<Service, "name" | "nameEn">;

/** The name of a service on a page of the language. */
export function nameService({ name, nameEn }: ServiceNames, language: Language): string {
  return language === "en" ? (nameEn ?? name) : name;
}

/** By id of the shipped catalogue, whose names are Russian. */
const ENGLISH: ReadonlyMap<string, string> = new Map([
  ["banks", "Banking and payments"],
  ["ai", "AI and neural networks"],
  ["shopping", "Shopping and delivery"],
  ["search", "Search, email and cloud storage"],
  ["games", "Games"],
  ["telecom", "Telecom and internet providers"],
  ["messaging", "Messaging and calls"],
  ["social", "Social networks"],
  ["video", "Video and music"],
  ["gov", "Government and public services"],
]);

/** Name of a category; the name in the catalogue if there is no English one. */
export function nameCategory({ id, name }: Category, language: Language): string {
  return language === "ru" ? name : (ENGLISH.get(id) ?? name);
}

/** What a statement of the catalogue says of a service. Not measured: each has a date and a source. */
export const ANNOTATION_WORDS: Words<AnnotationKind> = inLanguages({
  restricted: ["Доступ ограничен в России", "Access is restricted in Russia"],
  slowed_ru: ["По сообщениям, замедлен в России", "Reportedly slowed down in Russia"],
  partial_ru: ["По сообщениям, работает в России частично", "Reportedly works partially in Russia"],
  provider: ["Ограничения ввёл сам сервис", "Restricted by the service itself"],
  remark: ["К сведению", "Good to know"],
});

/** Russian for each `what` of the shipped catalogue; a test finds missing ones. */
const RUSSIAN: ReadonlyMap<string, string> = new Map([
  ["API", "API"],
  ["Apple account", "учётная запись Apple"],
  ["CDN", "сеть доставки файлов (CDN)"],
  ["Moscow portal", "портал Москвы"],
  ["Moscow site and account", "московский сайт и личный кабинет"],
  ["REST API", "REST API"],
  ["WebDAV", "WebDAV"],
  ["WebSocket gateway", "шлюз WebSocket"],
  ["account", "личный кабинет"],
  ["account API", "API учётных записей"],
  ["account and online services", "личный кабинет и онлайн-услуги"],
  ["account of the self-employed", "кабинет самозанятого"],
  ["app API", "API приложения"],
  ["bot API", "API ботов"],
  ["calendar sync", "синхронизация календаря"],
  ["old cardholder site", "прежний сайт держателей карт"],
  ["old internet bank", "прежний интернет-банк"],
  ["card scheme site", "сайт платёжной системы"],
  ["cardholder site", "сайт для держателей карт"],
  ["catalogue menu on the CDN", "меню каталога (CDN)"],
  ["classifieds", "объявления"],
  ["client settings", "настройки клиента"],
  ["cloud", "облако"],
  ["community", "сообщество"],
  ["developer console", "консоль разработчика"],
  ["developer portal", "портал для разработчиков"],
  ["doctor appointments", "запись к врачу"],
  ["download CDN", "загрузка файлов (CDN)"],
  ["exchange rates API", "API курсов валют"],
  ["file contents", "содержимое файлов"],
  ["front end", "входной сервер"],
  ["groceries", "доставка продуктов"],
  ["help centre", "справочный центр"],
  ["helper host of the sign-in page", "вспомогательный сервер страницы входа"],
  ["image CDN", "картинки (CDN)"],
  ["internet bank", "интернет-банк"],
  ["launcher back end", "сервер лаунчера"],
  ["launcher manifest", "список версий для лаунчера"],
  ["links", "ссылки"],
  ["list of check servers for tills", "список серверов проверки для касс"],
  ["list of member banks, read by payment apps", "список банков-участников для приложений"],
  ["main site", "основной сайт"],
  ["mobile site", "мобильный сайт"],
  ["main site and tracking", "основной сайт и отслеживание"],
  ["media CDN", "фото и видео (CDN)"],
  ["media host", "сервер фото и видео"],
  ["meetings in the browser", "встречи в браузере"],
  ["mobile app host", "сервер мобильного приложения"],
  ["old domain", "прежний адрес"],
  ["old main site", "прежний основной сайт"],
  ["old search front", "прежний адрес поиска"],
  ["online cinema", "онлайн-кинотеатр"],
  ["order station", "станция управления заказами"],
  ["partner API", "API для партнёров"],
  ["payment API gateway", "шлюз платёжного API"],
  ["personal Microsoft sign-in", "вход в личную учётную запись Microsoft"],
  ["personal front", "версия для личного пользования"],
  ["portal", "портал"],
  ["preview images", "картинки предпросмотра"],
  ["product API", "API товаров"],
  ["public API", "открытый API"],
  ["public API status", "состояние открытого API"],
  ["public cadastral map", "публичная кадастровая карта"],
  ["public services", "электронные сервисы"],
  ["public site", "открытый сайт"],
  ["restaurants", "доставка из ресторанов"],
  ["school portal", "школьный портал"],
  ["search", "поиск"],
  ["search page", "страница поиска"],
  ["seller API", "API для продавцов"],
  ["services API", "API сервисов"],
  ["session server", "сервер игровых сессий"],
  ["shipping API", "API отправки"],
  ["shop", "магазин"],
  ["sign-in", "вход"],
  ["sign-in API", "API входа"],
  ["sign-in keys", "ключи входа"],
  ["sign-in page", "страница входа"],
  ["site of the operator", "сайт оператора"],
  ["site of the publisher", "сайт издателя"],
  ["speed test on the same network", "тест скорости в той же сети"],
  ["static CDN", "файлы сайта (CDN)"],
  ["static files", "файлы сайта"],
  ["store", "магазин"],
  ["stream playlists", "плейлисты трансляций"],
  ["taxpayer account", "кабинет налогоплательщика"],
  ["ticket sales", "продажа билетов"],
  ["tracking SOAP description", "описание сервиса отслеживания (SOAP)"],
  ["update host", "сервер обновлений"],
  ["vehicle and driver checks", "проверка автомобилей и водителей"],
  ["video servers", "видеосерверы"],
  ["voice gateway", "голосовой шлюз"],
  ["web API", "веб-API"],
  ["web app", "веб-приложение"],
  ["web chat", "чат в браузере"],
  ["web client", "веб-версия"],
  ["web mail", "почта в браузере"],
  ["web player", "веб-плеер"],
  ["work front", "версия для организаций"],
]);

/**
 * Name of an endpoint whose English name is `what`. Undefined without a Russian word, as for an endpoint of another catalogue:
 * pages then show its host.
 */
export function nameEndpoint(what: string, language: Language): string | undefined {
  return language === "en" ? what : RUSSIAN.get(what);
}
