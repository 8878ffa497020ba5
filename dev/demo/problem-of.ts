import type { Exchange } from '../slack/slack.ts'

/** What Slack tells a person whose click or modal came to nothing. */
export function problemOf({ timedOut, error }: Exchange): string | undefined {
  if (timedOut) return 'Callboard took longer than 3 seconds to answer.'
  return error === undefined ? undefined : `Callboard's answer was no use to Slack (${error}).`
}
