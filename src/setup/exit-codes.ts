/** How a command ended. Published in the help and, by `npm run reference`, in docs/reference/exit-codes.md. */
export type ExitCode = keyof typeof EXIT_CODES;

/** Meaning of each exit code, and what to do about it. */
export const EXIT_CODES = {
  0: { meaning: "done, published", remedy: "nothing" },
  1: {
    meaning: "could not complete or publish",
    remedy:
      "read the message: it names the file or the setting and says what to fix. Documents are as before, or whole and partly new; the next run repairs that. A stack trace instead of a sentence is a defect: report it",
  },
  2: {
    meaning:
      "options, configuration, catalogue or registry have to be fixed; nothing was probed or written",
    remedy: "each line of the message is a problem and says how to fix it",
  },
  3: {
    meaning:
      "the runner itself is offline, so nothing is concluded about the services; the first run of an installation, which then publishes everything without data, ends with 0",
    remedy:
      "check the uplink and the resolver of the machine. After 15 minutes the services turn `none`",
  },
} as const;
