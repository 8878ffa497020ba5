import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Jobs } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import { type Tenant, tenantRecord } from '../store/tenant.ts'
import { type Message, section } from './blocks.ts'
import { deliver } from './delivery.ts'
import { NotInstalledError, SlackUnavailableError } from './errors.ts'
import type { Guards } from './guards.ts'

/** Direct messages to people who did not ask just now. */
export interface Notices {
  /**
   * Tells a person something, now or as soon as Slack lets us.
   * @param id the same for the same notice: it is sent once, unless a process ends while it is under way
   */
  tell(tenant: Tenant, person: string, id: string, message: Message): Promise<void>
  /** Begins to send what waits. */
  work(): void
}

const queue = 'notices'

const notice = z.object({
  tenant: tenantRecord,
  person: z.string(),
  text: z.string(),
})

/** A notice of text alone. @param mrkdwn escaped */
export const textNotice = (mrkdwn: string): Message => ({ text: mrkdwn, blocks: [section(mrkdwn)] })

export function createNotices(deps: {
  jobs: Jobs
  guards: Guards
  webApi: WebClient
  log: Log
  /** Epoch ms. */
  now: () => number
}): Notices {
  const { jobs, guards, webApi, log, now } = deps

  return {
    tell: (tenant, person, id, message) =>
      jobs.enqueue(queue, id, { tenant, person, text: message.text }, new Date(now())),
    work() {
      jobs.work(queue, async ({ data }) => {
        const { tenant, person, text } = notice.parse(data)
        try {
          const { botToken } = await guards.installation(tenant)
          const delivery = await deliver(webApi, botToken, person, textNotice(text))
          if (delivery.kind === 'not-now') throw new SlackUnavailableError('a notice is not taken yet')
          if (delivery.kind !== 'sent') log.warn({ delivery }, 'a notice may not have arrived')
        } catch (error) {
          if (!(error instanceof NotInstalledError)) throw error
          log.warn('a notice has nowhere to go: the app is not installed there any more')
        }
      })
    },
  }
}
