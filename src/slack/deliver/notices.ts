import type { types } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import { FAIR_LIMITS, type Job, type Jobs } from '../../jobs/jobs.ts'
import type { Log } from '../../log.ts'
import { tenantKey, type Workspace } from '../../store/tenant.ts'
import type { EpochMs } from '../../util/units.ts'
import type { Installations } from '../access/installations.ts'
import type { Workspaces } from '../access/workspaces.ts'
import type { Channels } from '../api/channels.ts'
import { postMessage } from '../api/messages.ts'
import { SlackFailure } from '../api/slack-failure.ts'
import { withTeam } from '../blocks/block-team.ts'
import * as blocks from '../blocks/blocks.ts'
import { commandButton, connectButton } from '../blocks/buttons.ts'
import type { SubscriptionFailure } from './failures.ts'

const noticeJobSchema = z.object({
  /** Has an empty team for an organization. */
  workspace: z.object({ enterpriseId: z.string().optional(), teamId: z.string() }),
  /** Id of a person, or of a channel. The id of the job ends with `/` and this. */
  to: z.string(),
  orChannel: z.string().optional(),
  /** mrkdwn, escaped. */
  text: z.string(),
  withConnect: z.boolean().optional(),
  command: z.object({ id: z.string(), text: z.string(), command: z.string() }).optional(),
})

type NoticeJob = z.infer<typeof noticeJobSchema>

const queue = { name: 'notices', schema: noticeJobSchema, perTenant: FAIR_LIMITS.perTenant }

export type Notice = Pick<NoticeJob, 'text' | 'withConnect' | 'command'>

/** Renders the button as text in a channel, because the answer to a click would replace everyone's message. */
function noticeMessage({ to, text, withConnect = false, command }: NoticeJob): blocks.Message {
  if (!blocks.isPersonId(to)) {
    const hint = command ? ` ${command.text}: \`${blocks.escapeText(command.command)}\`` : ''
    return blocks.textMessage(`${text}${hint}`)
  }
  const buttons: types.Button[] = []
  if (withConnect) buttons.push(connectButton)
  if (command) buttons.push(commandButton(command.id, command.text, command.command))
  return blocks.textMessage(text, buttons)
}

export class Notices {
  readonly #services

  constructor(services: {
    jobs: Jobs
    installations: Installations
    webApi: WebClient
    channels: Channels
    workspaces: Workspaces
    log: Pick<Log, 'warn'>
    now: () => EpochMs
  }) {
    this.#services = services
  }

  /**
   * Jobs retry for about a day; after a crash, people may be notified twice.
   * @param id the same for the same notice @param orChannel notified if Slack refuses a direct message
   */
  async notify(
    workspace: Workspace,
    people: readonly string[],
    id: string,
    notice: Notice,
    orChannel?: string,
  ): Promise<void> {
    for (const to of new Set(people))
      await this.#enqueue(`${id}/${to}`, { workspace, to, orChannel, ...notice })
  }

  /** If the owner has lost access, also notifies the person who connected the account. `orChannel` is for the last of both. */
  async notifyOwner(
    subscription: { readonly workspace: Workspace; readonly owner: string; readonly channel: string },
    id: string,
    notice: Notice,
    { kind }: SubscriptionFailure,
  ): Promise<void> {
    const { workspace, owner, channel } = subscription
    const { workspaces } = this.#services
    const connector =
      kind === 'not-allowed' ? await workspaces.findConnector(tenantKey(workspace)) : undefined
    const personInCharge = connector ?? owner
    if (personInCharge !== owner) await this.notify(workspace, [owner], id, notice)
    await this.notify(workspace, [personInCharge], id, notice, channel)
  }

  work(): void {
    const { concurrency } = FAIR_LIMITS
    this.#services.jobs.work({ queue, concurrency, handle: (job) => this.#send(job) })
  }

  #enqueue(id: string, job: NoticeJob): Promise<void> {
    const { jobs, now } = this.#services
    return jobs.enqueue(queue, id, job, new Date(now()))
  }

  async #send({ id, data }: Job<NoticeJob>): Promise<void> {
    const { installations, channels, webApi, log } = this.#services
    const { to } = data
    const workspace = { enterpriseId: data.workspace.enterpriseId, teamId: data.workspace.teamId }
    const installation = await installations.find(workspace)
    if (!installation) {
      log.warn({}, 'a notice was dropped: the app is not installed')
      return
    }
    const isPerson = blocks.isPersonId(to)
    // The channel may have been shared or archived meanwhile.
    if (!isPerson && (await channels.getState({ installation, workspace }, to)) !== 'ok') return
    const message = withTeam(noticeMessage(data), workspace)
    const result = await postMessage(webApi, installation.botToken, to, message)
    if (result.kind === 'sent') return
    if (result.kind === 'not-now') throw new SlackFailure('a notice failed', result)
    if (result.kind === 'unknown') {
      // To a person, a duplicate notice is better than none.
      if (isPerson) throw new SlackFailure('a notice failed', result)
      log.warn({ channel: to }, 'Slack did not confirm a notice')
      return
    }
    log.warn({ code: result.code }, 'Slack refused a notice')
    const { orChannel, ...notice } = data
    if (orChannel === undefined) return
    const noticeId = id.slice(0, id.lastIndexOf('/'))
    await this.#enqueue(`${noticeId}/${orChannel}`, { ...notice, to: orChannel })
  }
}
