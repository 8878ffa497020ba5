import type { Sandbox } from '../../dev/service/app.ts'
import type { Slack } from '../../dev/slack/slack.ts'

/** The only allowed place: a modal without anything to click, so that Slack never sends its content back. */
const mayHold = (method: string, json: string) => method === 'views.update' && !json.includes('"action_id"')

/** Finds SIP passwords and webphone tokens outside that modal: in calls, acknowledgements or logs. */
export function leakedSipSecrets(
  slack: Pick<Slack, 'calls' | 'acknowledged'>,
  sandbox: Sandbox,
  written: readonly string[],
): string[] {
  const secrets = Object.values(sandbox.accounts).flatMap(({ agents }) =>
    agents.flatMap(({ sipPassword, webphone }) => [sipPassword, webphone.split('&').at(-1) ?? webphone]),
  )
  const left = [
    ...slack.calls.map(({ method, args }) => ({ where: method, json: JSON.stringify(args) })),
    ...slack.acknowledged.map((json) => ({ where: 'acknowledgement', json })),
    ...written.map((json) => ({ where: 'written', json })),
  ]
  return left
    .filter(({ where, json }) => !mayHold(where, json) && secrets.some((secret) => json.includes(secret)))
    .map(({ where, json }) => `${where}: ${json.slice(0, 200)}`)
}
