import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Job, Jobs } from '../../jobs/jobs.ts'
import type { Log } from '../../log.ts'
import type { Claims } from '../../store/claims.ts'
import { escapePart, scopedKey, type Tenant, tenantKey } from '../../store/tenant.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import type { Workspaces } from '../access/workspaces.ts'
import type { Channels } from '../api/channels.ts'
import type { Installation, Installations } from '../api/installations.ts'
import { directMessageFailure, postMessage } from '../api/post-message.ts'
import { actionRow, escapeText, type Message, section } from '../blocks/blocks.ts'
import { commandButton } from '../blocks/command-button.ts'
import { connectButton } from '../blocks/links.ts'
import { withTeam } from '../blocks/values.ts'

/** Of the claims that a notice reached somebody: kept for longer than a job is tried. */
const reachedScope = 'notice'
const reachedForMs: Milliseconds = 3 * 24 * 60 * 60_000

const noticeJob = z.object({
  /** An empty team for an organisation. */
  tenant: z.object({ enterpriseId: z.string().optional(), teamId: z.string() }),
  people: z.array(z.string()),
  /** Where it is said if it reaches none of them. */
  orChannel: z.string().optional(),
  /** mrkdwn, escaped. */
  text: z.string(),
  /** With a button that opens the connect modal: only the welcome sets it. */
  withConnect: z.boolean().optional(),
  command: z.object({ id: z.string(), text: z.string(), command: z.string() }).optional(),
})

type NoticeJob = z.infer<typeof noticeJob>

const queue = { name: 'notices', schema: noticeJob }

export type Notice = Pick<NoticeJob, 'text' | 'withConnect' | 'command'>

function noticeMessage({ text, withConnect = false, command }: Notice): Message {
  const buttons = [
    ...(withConnect ? [connectButton('Connect…', 'primary')] : []),
    ...(command ? [commandButton(command.id, command.text, command.command)] : []),
  ]
  return { text, blocks: [section(text), ...actionRow(buttons)] }
}

/** The same in a channel. It has no button: what somebody's click answers would take the place of everyone's message. */
function channelNoticeMessage({ text, command }: Notice): Message {
  const all = command ? `${text} ${command.text}: \`${escapeText(command.command)}\`` : text
  return { text: all, blocks: [section(all)] }
}

/** Direct messages to people who did not ask just now. */
export function createNotices(services: {
  jobs: Jobs
  installations: Installations
  webApi: WebClient
  channels: Channels
  workspaces: Workspaces
  claims: Claims
  log: Log
  now: () => EpochMs
}) {
  const { jobs, installations, webApi, channels, workspaces, claims, log, now } = services

  /**
   * Sends each of these people a notice, now or as soon as Slack lets us; where it reaches none of them, the channel.
   * @param id the same for the same notice: it is sent until Slack has confirmed it, for a day or so, and then no more
   */
  function notify(
    tenant: Tenant,
    people: readonly string[],
    id: string,
    notice: Notice,
    orChannel?: string,
  ): Promise<void> {
    return jobs.enqueue(queue, id, { tenant, people: [...people], orChannel, ...notice }, new Date(now()))
  }

  /**
   * Notifies whoever's it is of what has stopped by itself, and whoever connected the account where the owner may not see it
   * any more; where it reaches neither, the channel.
   */
  async function notifyOwner(
    { tenant, owner, channel }: { readonly tenant: Tenant; readonly owner: string; readonly channel: string },
    {
      id,
      notice,
      isOwnerOut,
    }: { readonly id: string; readonly notice: Notice; readonly isOwnerOut: boolean },
  ): Promise<void> {
    const connector = isOwnerOut ? await workspaces.connectedBy(tenantKey(tenant)) : undefined
    await notify(tenant, [owner, ...(connector === undefined ? [] : [connector])], id, notice, channel)
  }

  async function send({ id, data: notice }: Job<NoticeJob>): Promise<void> {
    const { tenant, people, orChannel } = notice
    const team = { enterpriseId: tenant.enterpriseId, teamId: tenant.teamId }
    const installation = await installations.find(team)
    if (!installation) {
      log.warn('a notice has nowhere to go: the app is not installed there any more')
      return
    }

    /** Once for each job, however often it runs. @returns `false` where Slack refuses it for good */
    async function reach({ botToken }: Installation, to: string, message: Message): Promise<boolean> {
      const key = team.teamId
        ? scopedKey(tenantKey(team), id, to)
        : ['organisation', team.enterpriseId ?? '', id, to].map(escapePart).join('/')
      if (await claims.isClaimed(reachedScope, key)) return true
      const result = await postMessage(webApi, botToken, to, withTeam(message, team))
      if (result.kind === 'refused') {
        log.warn({ code: result.code }, 'Slack refused a notice')
        return false
      }
      // A notice that comes twice is better than one that nobody reads.
      if (result.kind !== 'sent') throw directMessageFailure(result)
      await claims.claim(reachedScope, key, reachedForMs)
      return true
    }

    let isReached = false
    for (const person of new Set(people))
      isReached = (await reach(installation, person, noticeMessage(notice))) || isReached
    if (isReached || orChannel === undefined) return
    // Whatever was wrong with it may be why there is a notice: it goes to a channel of their own alone.
    if ((await channels.state({ installation, team }, orChannel)) === 'ok')
      await reach(installation, orChannel, channelNoticeMessage(notice))
  }

  return {
    notify,
    notifyOwner,
    work: () => jobs.work({ queue, handle: send }),
  }
}
