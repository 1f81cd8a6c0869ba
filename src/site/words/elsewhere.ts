/** What other places say, in Russian and in English. `{works}` and `{fails}`: countries in brackets, so that they need no cases. */
export const ELSEWHERE_WORDS = {
  abroad: ["За границей открывается{works}.", "It opens abroad{works}."],
  "abroad-claimed": [
    "За границей открывается{works}, а из Москвы тот же сервер отвечает, только если назвать ему другое имя.",
    "It opens abroad{works}, and from Moscow the same server answers only under another name.",
  ],
  "abroad-doubt": [
    "За границей открывается{works}, из Москвы нет. Блокировка это или сбой по пути, мы не знаем.",
    "It opens abroad{works}, but not from Moscow. Whether it is blocked or the route is broken, we do not know.",
  ],
  access: [
    "В дата-центре Москвы открывается, на домашних линиях нет. Причину по этому не понять.",
    "It opens in a data centre in Moscow and does not on home lines. That alone does not show the cause.",
  ],
  "access-claimed": [
    "В дата-центре Москвы открывается. На линиях абонентов нескольких провайдеров соединение обрывается, но под другим именем тот же сервер отвечает.",
    "It opens in a data centre in Moscow. On subscribers' lines of several providers connections break, but under another name the same server answers.",
  ],
  client: [
    "Программе сервис из Москвы отвечает, а соединение с приметами браузера обрывается. Так действуют фильтры, но бывает и сбой на пути.",
    "From Moscow the service answers a program, while a connection that looks like a browser's breaks. Filters do that, and sometimes a fault on the way.",
  ],
  everywhere: [
    "За границей тоже не открывается{fails}. Похоже на сбой самого сервиса.",
    "It does not open abroad either{fails}. This looks like a failure of the service itself.",
  ],
  "everywhere-too": [
    "Сейчас не открывается и за границей{fails}: похоже ещё и на сбой самого сервиса.",
    "At the moment it does not open abroad either{fails}: this looks like a failure of the service itself, too.",
  ],
  network: [
    "Из другой сети в Москве открывается. Причина может быть в сети, из которой мы проверяем.",
    "It opens from another network in Moscow. The cause may be the network we check from.",
  ],
  path: [
    "За границей открывается, но связь нашего узла с зарубежными сетями сейчас нарушена, поэтому причины мы не знаем.",
    "It opens abroad, but our own connection abroad is disrupted at the moment, so we do not know the cause.",
  ],
  mixed: [
    "За границей открывается не везде: где-то да{works}, где-то нет{fails}.",
    "Abroad it opens in some places{works} and not in others{fails}.",
  ],
} as const;
