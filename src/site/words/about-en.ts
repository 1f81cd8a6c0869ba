import type { AboutWords } from "./about.ts";

/** The page on how all this works, in English. */
export const ABOUT_ENGLISH: AboutWords = {
  title: "How it works",
  description:
    "How we check services from Moscow, what the verdicts mean, what we do not see, and what becomes of reports.",
  intro: [
    "It does not open? Is the service down, is it restricted, or is it your connection? This site helps to tell within seconds: a probe in Moscow opens the addresses of popular services every 5 minutes, and people report what does not work for them.",
    "This is an estimate, not the official position of the services: we have no ties with them. Do not use this data for decisions on which money or safety depends.",
  ],
  verdicts: { caption: "All verdicts", head: ["Verdict", "When it occurs"] },
  sections: [
    {
      id: "checks",
      title: "How we check",
      before: [
        "Of each service we check two to four addresses: site, sign-in, app, API. Critical are those without which the service cannot be used. Each check takes five steps on a new connection:",
      ],
      items: [
        "DNS: does the name have an address;",
        "TCP: can we connect;",
        "TLS: can the connection be secured, and is the certificate right;",
        "HTTP: does the server answer, and not with an error;",
        "loading: does the page come, up to 64 KB of it.",
      ],
      after: [
        "We do not believe a single failure: an address that stops answering is checked three more times, after 20, 60 and 100 seconds, and once more after 160 where the failure is in doubt. One that comes back needs a second success.",
        "Before and after each run we check the probe itself: we open well-known sites with which all is well. When three Russian ones do not answer, it is we who are offline, and the run does not count. Without fresh data for more than 15 minutes we say “No recent data” and do not guess.",
      ],
    },
    {
      id: "verdicts",
      title: "What the verdicts mean",
      before: [
        "A measured failure comes before a spike of reports, a spike before a note of a restriction, a note before slowness. The mark “now” stands at what is happening right now: an outage of less than a day, or a spike of reports. The time “since” is the start of the current state of the checks.",
      ],
      hasVerdicts: true,
    },
    {
      id: "restrictions",
      title: "Restrictions",
      before: [
        "Whether a service is restricted, slowed down, or does not serve Russia itself we do not judge by our measurements. These are notes with a date and a source, made by a person, and the page of the service shows them.",
        "Checks speak of a provider's interference in three cases: a known block page came instead of the page, DNS gave the address of such a page, or an answer 451 came over a connection that is not secure. A reset connection and silence prove nothing about who caused them.",
      ],
    },
    {
      id: "reports",
      title: "Reports",
      before: [
        "The page of each service has a button to report that it does not work. So that one person cannot pose as a crowd, one network (mostly a home, an office or the gateway of an operator) counts once per service and hour; and beyond 15 reports in an hour, one block of addresses (mostly a provider) counts no more than all others together. The numbers on the page are those of the last hour and of the last 24 hours.",
        "“Rising number of reports” appears when there are sharply more reports than usual for this hour, and they come from different networks. When many services have that at once, the common network is more likely to blame, and no service is said to have a spike.",
      ],
    },
    {
      id: "limits",
      title: "What we do not see",
      before: ["The honest limits of one probe:"],
      items: [
        "There is one probe, in a data centre in Moscow. At home, on a mobile network and in another region things may differ: “Working” here does not mean “working for everybody”.",
        "Filters tell programs apart. Our check looks neither like a browser nor like the app of the service.",
        "We do not sign in, pay, call or watch. A page may open while a payment does not go through.",
        "We do not run the scripts of pages, and use neither HTTP/2 nor QUIC.",
        "Throttling is hard to see: 64 KB are enough for a check, and a video needs far more.",
      ],
    },
    {
      id: "monitors",
      title: "Monitors",
      before: [
        "Beside the services of the catalogue the probe checks, every 5 minutes, sites that their owners have added. Uptime is the share of good checks among those that showed anything; it is rounded down, so 100% means that not one failed. Page and badge of a monitor can be seen as long as its owner keeps the page public.",
      ],
    },
    {
      id: "privacy",
      title: "Privacy",
      before: ["The site is made to know as little of you as it can:"],
      items: [
        "No cookies, counters, advertisements or requests to other sites.",
        "Of a report we keep the service, the time, the symptom if you chose one, and two hashes: of the network and of its neighbourhood. The address itself is not kept.",
        "The hashes are made with a secret key that is new each day: without the key nobody can find the network, nor connect a report of yesterday with one of today.",
        "The web server that gives out the pages may keep an ordinary log of requests.",
      ],
    },
    {
      id: "reuse",
      title: "The data for you",
      before: [
        "All data is in an [open API](/api), without a key; there are feeds of changes, and a widget for your site. Showing the data on your own site? Please link to us.",
      ],
    },
  ],
};
