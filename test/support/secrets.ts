import type { Sandbox } from '../../dev/service/app.ts'
import type { Slack } from '../../dev/slack/slack.ts'

/** The only allowed place: a modal without anything to click, so that Slack never sends its content back. */
const mayHold = (method: string, json: string) => method === 'views.update' && !json.includes('"action_id"')

/** Tokens, and the addresses of replies and uploads. Calls of Slack's methods contain the token. */
const SLACK_SECRET = /xox[bp]-\d|xapp-\d|\/(?:commands|actions)\/T\w|\/upload\/\w/

/** Finds SIP passwords and webphone tokens outside that modal, and other secrets: in calls, acknowledgements or logs. */
export function leakedSecrets(
  slack: Pick<Slack, 'calls' | 'acknowledged'>,
  sandbox: Sandbox,
  written: readonly string[],
): string[] {
  const secrets = Object.values(sandbox.accounts).flatMap(({ agents, secret }) => [
    secret,
    ...agents.flatMap(({ sipPassword, webphone }) => [sipPassword, webphone.split('&').at(-1) ?? webphone]),
  ])
  const left = [
    ...slack.calls.map(({ method, args }) => ({ where: method, json: JSON.stringify(args) })),
    ...slack.acknowledged.map((json) => ({ where: 'acknowledgement', json })),
    ...written.map((json) => ({ where: 'written', json })),
  ]
  const hasSecret = (json: string) => secrets.some((secret) => json.includes(secret))
  return left
    .filter(({ where, json }) => !mayHold(where, json))
    .filter(({ where, json }) => hasSecret(json) || (where === 'written' && SLACK_SECRET.test(json)))
    .map(({ where, json }) => `${where}: ${json.slice(0, 200)}`)
}
