import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Job, Jobs } from '../../jobs/jobs.ts'
import type { Log } from '../../log.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { EpochMs } from '../../util/units.ts'
import { SlackUnavailableError } from '../api/errors.ts'
import type { Installations } from '../api/installations.ts'
import { postMessage } from '../api/post-message.ts'
import { actionRow, type Message, section } from '../blocks/blocks.ts'
import { connectButton } from '../blocks/shared-blocks.ts'

export interface Notice {
  /** mrkdwn, escaped. */
  readonly text: string
  /** With a button that opens the connect modal. */
  readonly withConnect?: boolean
}

const queue = 'notices'

const noticeJob = z.object({
  /** An empty team for an organisation. */
  tenant: z.object({ enterpriseId: z.string().optional(), teamId: z.string() }),
  person: z.string(),
  text: z.string(),
  // Only the welcome sets it.
  withConnect: z.boolean().default(false),
})

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
  tell(team: Tenant, person: string, id: string, notice: Notice): Promise<void> {
    return this.#services.jobs.enqueue(
      queue,
      id,
      { tenant: team, person, ...notice },
      new Date(this.#services.now()),
    )
  }

  /** Begins to send what waits. */
  work(): void {
    this.#services.jobs.work(queue, (job) => this.#send(job))
  }

  async #send({ data }: Job): Promise<void> {
    const notice = noticeJob.parse(data)
    const { enterpriseId, teamId } = notice.tenant
    const installation = await this.#services.installations.find({ enterpriseId, teamId })
    if (!installation) {
      this.#services.log.warn('a notice has nowhere to go: the app is not installed there any more')
      return
    }
    const result = await postMessage(
      this.#services.webApi,
      installation.botToken,
      notice.person,
      noticeMessage(notice),
    )
    if (result.kind === 'not-now') throw new SlackUnavailableError('a notice is not taken yet')
    if (result.kind !== 'sent') this.#services.log.warn({ delivery: result }, 'a notice may not have arrived')
  }
}
