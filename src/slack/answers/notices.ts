import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import { type Job, type Jobs, UselessJobError } from '../../jobs/jobs.ts'
import type { Log } from '../../log.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { EpochMs } from '../../util/units.ts'
import type { Installations } from '../api/installations.ts'
import { postMessage } from '../api/post-message.ts'
import { SlackUnavailableError } from '../api/web-api.ts'
import { actionRow, type Message, section } from '../blocks/blocks.ts'
import { withTeam } from '../blocks/message-team.ts'
import { connectButton } from '../blocks/shared-blocks.ts'

const queue = 'notices'

const noticeJob = z.object({
  /** An empty team for an organisation. */
  tenant: z.object({ enterpriseId: z.string().optional(), teamId: z.string() }),
  person: z.string(),
  /** mrkdwn, escaped. */
  text: z.string(),
  /** With a button that opens the connect modal: only the welcome sets it. */
  withConnect: z.boolean().default(false),
})

type Notice = Pick<z.input<typeof noticeJob>, 'text' | 'withConnect'>

/** A notice as it arrives. */
export function noticeMessage({ text, withConnect = false }: Notice): Message {
  const buttons = withConnect ? [connectButton('Connect…', 'primary')] : []
  return { text, blocks: [section(text), ...actionRow(buttons)] }
}

/** Direct messages to people who did not ask just now. */
export class Notices {
  readonly #services

  constructor(services: {
    jobs: Jobs
    installations: Installations
    webApi: WebClient
    log: Log
    now: () => EpochMs
  }) {
    this.#services = services
  }

  /**
   * Tells a person something, now or as soon as Slack lets us.
   * @param id the same for the same notice: it is sent once, unless a process ends while it is under way
   */
  tell(tenant: Tenant, person: string, id: string, notice: Notice): Promise<void> {
    const { jobs, now } = this.#services
    return jobs.enqueue(queue, id, { tenant, person, ...notice }, new Date(now()))
  }

  /** Begins to send what waits. */
  work(): void {
    this.#services.jobs.work(queue, (job) => this.#send(job))
  }

  async #send({ data }: Job): Promise<void> {
    const { installations, webApi, log } = this.#services
    const { data: notice, error } = noticeJob.safeParse(data)
    if (error) throw new UselessJobError('the job of a notice is malformed', { cause: error })
    const { enterpriseId, teamId } = notice.tenant
    const installation = await installations.find({ enterpriseId, teamId })
    if (!installation) {
      log.warn('a notice has nowhere to go: the app is not installed there any more')
      return
    }
    const message = withTeam(noticeMessage(notice), { enterpriseId, teamId })
    const result = await postMessage(webApi, installation.botToken, notice.person, message)
    if (result.kind === 'not-now') throw new SlackUnavailableError('Slack: a notice is not taken yet')
    if (result.kind !== 'sent') log.warn({ delivery: result }, 'a notice may not have arrived')
  }
}
