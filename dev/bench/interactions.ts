import { enterprise, teamId } from './workspaces.ts'

/** What somebody does with the app. */
export interface Interaction {
  readonly kind: 'command' | 'click'
  /** Which of the workspaces. */
  readonly team: number
  readonly page: number
  /** `/calls` unless it is said. */
  readonly command?: '/agents' | '/billing'
  /** Behind the command: of `/calls` the page unless it is said. */
  readonly text?: string
}

/** Over so many workspaces and pages. @param kind as many commands as clicks unless it is said */
export const mixOf =
  ({ teams, pages, kind }: { teams: number; pages: number; kind?: Interaction['kind'] }) =>
  (n: number): Interaction => ({
    kind: kind ?? (n % 2 === 0 ? 'command' : 'click'),
    team: n % teams,
    page: 1 + (n % pages),
  })

const FIRST_TS = Math.floor(Date.now() / 1000)

/**
 * The body of Slack's request.
 *
 * @param count no two clicks of one may have the same time stamp
 */
export function requestBody(interaction: Interaction, responseUrl: string, count: number): string {
  const { kind, page, command, text = command === undefined ? `page:${page}` : '' } = interaction
  const team = teamId(interaction.team)
  const user = `U${team.slice(1)}`
  if (kind === 'command') {
    return new URLSearchParams({
      command: command ?? '/calls',
      text,
      team_id: team,
      enterprise_id: enterprise,
      channel_id: 'C1',
      user_id: user,
      response_url: responseUrl,
      trigger_id: 't',
    }).toString()
  }
  const ts = `${FIRST_TS + Math.floor(count / 1_000_000)}.${String(count % 1_000_000).padStart(6, '0')}`
  const payload = {
    type: 'block_actions',
    team: { id: team },
    enterprise: { id: enterprise },
    user: { id: user, team_id: team },
    channel: { id: 'C1' },
    container: { type: 'message', message_ts: ts, channel_id: 'C1', is_ephemeral: true },
    trigger_id: 't',
    response_url: responseUrl,
    actions: [
      {
        type: 'button',
        action_id: 'calls.page.next',
        block_id: 'b',
        action_ts: ts,
        value: JSON.stringify({ direction: 'incoming', page }),
      },
    ],
  }
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
}
