/**
 * A second list, written before the search was changed and never used to tune it: declined forms, pet names, addresses, other layouts.
 * In its second part names that are not in the catalogue: none of them may be found.
 */
export const HONEST_SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    sberbank:
      "сбер | сбербанка | в сбере | сберик | сбербанк онлайн не работает | c,th | сбербанком",
    "t-bank": "тинек | тинькоффа | в тинькове | т банк | тбанк | tbank.ru | nbymrjaa",
    "alfa-bank": "альфа | альфабанк | альфой | в альфе | alfabank",
    vtb: "втб | втб онлайн | vtb.ru | dn,",
    gazprombank: "газпром банк | газпромбанка | гпб",
    sovcombank: "совкомбанк | совком | совкомбанка | халвой | халва не работает",
    rosselkhozbank: "россельхоз | рсхб | россельхозбанк онлайн",
    raiffeisen: "райф | райффайзен | райфайзен банк | райфа",
    sbp: "сбп | быстрые платежи | система быстрых платежей",
    mir: "карта мир | мир карты",
    chatgpt: "чатгпт | чат гпт | chat gpt | гпт | chatgpt.com | чатжпт",
    claude: "клод | claude.ai | клода",
    gemini: "джемини | гемини | gemini google",
    deepseek: "дипсик | дипсика | deepsek | дип сик",
    gigachat: "гигачат | гигачата | гига чат",
    alice: "алиса | с алисой | алису | алисе",
    midjourney: "миджорни | мидджорни | midjorney",
    perplexity: "перплексити | перплексити не открывается",
    grok: "грок | грока | grok",
    copilot: "копилот | copilot | майкрософт копилот",
    wildberries: "вб | вайлдберриз | валберис | вайлдбериз | wildberis | на вайлдберриз | wb",
    ozon: "озон | на озоне | озончик | озона | jpjy | ozon.ru",
    "yandex-market": "яндекс маркет | маркет яндекса | я маркет",
    avito: "авито | на авито | fdbnj | avito.ru",
    aliexpress: "алик | али | алиэкспресс | алиекспресс | на али | aliexpres",
    samokat: "самокат | самоката | самокатом",
    "yandex-eda": "яндекс еда | яндекс еды",
    cdek: "сдэк | сдек | сдэка | cdek | sdek",
    "pochta-rossii": "почта россии | почты россии | почтой россии | gjxnf hjccbb",
    yandex: "яндекс | яндекса | яндексу | ya.ru | zyltrc",
    "yandex-mail": "яндекс почта | почта яндекса | яндекс почту",
    "yandex-disk": "яндекс диск | яндекс диска",
    "mail-ru": "мейл ру | майл ру | mail.ru | майл | mail",
    google: "гугл | гугла | гуглом | google.com | ueuk",
    gmail: "гмейл | джимейл | гмаил | gmail.com",
    icloud: "айклауд | icloud | ай клауд | айклауда",
    dropbox: "дропбокс | дроп бокс",
    steam: "стим | в стиме | стима | cnbv | steam store",
    "epic-games": "эпик геймс | эпик | epic | фортик | фортнайт",
    roblox: "роблокс | роблоксе | роблаксе | hj,kjrc | роблокса",
    minecraft: "майнкрафт | майн | майнкрафта | в майнкрафте | vfqyrhfan",
    pubg: "пабг | пубг | пабга | pubg mobile",
    "war-thunder": "вар тандер | тундра | war thunder | вартандер",
    "mir-tankov": "мир танков | танки | мира танков",
    playstation: "плейстейшн | псн | psn | плейстейшен",
    mts: "мтс | мтса | vnc",
    beeline: "билайн | билайна | билайном | ,bkfqy",
    megafon: "мегафон | мегафона | с мегафоном | vtufajy",
    t2: "т2 | теле2 | tele2 | теле 2",
    rostelecom: "ростелеком | ростелекома | ростелекомом",
    "dom-ru": "дом ру | дом.ру | domru",
    yota: "йота | йоты | ёта | yota",
    telegram: "тг | телега | с телегой | в телеге | телеграме | телеграммом | tg | ntktuhfv",
    whatsapp: "ватсап | вотсап | вацап | в вотсапе | вотсапом | whatsap | ватсапа | dfncfg",
    max: "макс | мессенджер макс | макса | max",
    viber: "вайбер | вайбера | в вайбере | viber",
    signal: "сигнал | сигнала | signal",
    discord: "дискорд | дс | в дискорде | дискорда | lbcrjhl",
    zoom: "зум | зума | в зуме | zoom.us",
    "microsoft-teams": "тимс | майкрософт тимс | teams | тимза",
    "yandex-telemost": "телемост | яндекс телемост | телемоста",
    vk: "вк | вконтакте | в контакте | dr | vk.com | вкашка | вконтакт",
    odnoklassniki: "ок | одноклассники | одноклассников | jr | ok.ru | в одноклассниках",
    instagram: "инста | инстаграм | инстаграмм | с инстой | из инстаграма | в инсте | bycnf",
    facebook: "фейсбук | фб | в фейсбуке | facebook.com | фейсбука",
    x: "твиттер | твиттере | twitter | x.com | твитер",
    tiktok: "тикток | тик ток | в тиктоке | тиктока | nbrnjr",
    threads: "тредс | threads | тредсы",
    linkedin: "линкедин | линкедине | linkedin.com",
    youtube: "ютуб | ютюб | на ютубе | ютуба | ютубчик | youtube.com | .ne,",
    rutube: "рутуб | рутуба | на рутубе | rutube.ru",
    "vk-video": "вк видео | вквидео | видео вк",
    kinopoisk: "кинопоиск | кинопоиска | на кинопоиске",
    netflix: "нетфликс | нетфликса",
    spotify: "спотифай | спотик | спотифая",
    "yandex-music": "яндекс музыка | яндекс музыку | яндекс музыки",
    twitch: "твич | твича | на твиче",
    gosuslugi: "госуслуги | госуслугах | на госуслугах | гос услуги | ujceckeub",
    esia: "есиа | вход через госуслуги",
    fns: "налоговая | налог | личный кабинет налогоплательщика | фнс | налоговой",
    "mos-ru": "мос ру | mos.ru | мосру",
    "chestny-znak": "честный знак | честного знака",
    rzd: "ржд | rzd | поезда ржд",
    rosreestr: "росреестр | росреестра",
    gibdd: "гибдд | гаи | штрафы гибдд",
  }).map(([slug, texts]) => [slug, texts.split(" | ")]),
);

/** Well-known names that the catalogue does not have. */
export const STRANGERS: readonly string[] =
  `amazon | амазон | tinder | тиндер | hh.ru | хедхантер | почта банк | pochtabank.ru | ebay | ибей | booking | букинг | uber | убер |
  airbnb | pinterest | пинтерест | reddit | реддит | википедия | wikipedia | notion | ноушен | figma | фигма | github | гитхаб | slack |
  слак | икея | ikea | днс | dns-shop | мвидео | эльдорадо | ситилинк | ламода | lamoda | леруа мерлен | пятерочка |
  магнит | лента | ашан | перекресток | окко | okko | иви | ivi | старт | premier | кион | wink | дзен | dzen | рамблер | rambler |
  лайвджорнал | livejournal | пикабу | pikabu | хабр | habr | 2гис | 2gis | яндекс такси | яндекс карты | ситимобил | максим такси |
  авиасейлс | aviasales | туту | tutu.ru | циан | cian | домклик | юла | юмани | киви | qiwi | росбанк | открытие банк | мкб | убрир |
  озон банк | ozon bank | вайлдберриз банк | танчики онлайн | дота | dota 2 | варзон | валорант | valorant | геншин | genshin impact |
  bluesky | мастодон | snapchat | снапчат | line | wechat | вичат | bip | imo | zangi | нетхаус | tilda | тильда | битрикс24 | amocrm`
    .split("|")
    .map((text) => text.trim());
