import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Log } from '../../log.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { Installations } from '../api/installations.ts'
import { deliver } from '../api/post-message.ts'
import { button, type Message, section } from '../blocks/blocks.ts'
import { SlackUnavailableError } from '../blocks/errors.ts'

export interface Notice {
  /** mrkdwn, escaped. */
  readonly text: string
  /** With a button that opens the connect modal. */
  readonly withConnect?: boolean
}

/** Direct messages to people who did not ask just now. */
export interface Notices {
  /**
   * Tells a person something, now or as soon as Slack lets us.
   * @param id the same for the same notice: it is sent once, unless a process ends while it is under way
   */
  tell(tenant: Tenant, person: string, id: string, notice: Notice): Promise<void>
  /** Begins to send what waits. */
  work(): void
}

const queue = 'notices'

const notice = z.object({
  /** An empty team for an organisation. */
  tenant: z.object({ enterpriseId: z.string().optional(), teamId: z.string() }),
  person: z.string(),
  text: z.string(),
  withConnect: z.boolean().default(false),
})

function toMessage({ text, withConnect }: z.infer<typeof notice>): Message {
  const connect = button('setup.connect', 'Connect…', 'connect', 'primary')
  const actions = withConnect ? [{ type: 'actions' as const, elements: [connect] }] : []
  return { text, blocks: [section(text), ...actions] }
}

export function createNotices(deps: {
  jobs: Jobs
  installations: Installations
  webApi: WebClient
  log: Log
  /** Epoch ms. */
  now: () => number
}): Notices {
  const { jobs, installations, webApi, log, now } = deps

  return {
    tell: (tenant, person, id, given) =>
      jobs.enqueue(queue, id, { tenant, person, ...given }, new Date(now())),
    work() {
      jobs.work(queue, async ({ data }) => {
        const given = notice.parse(data)
        const { enterpriseId, teamId } = given.tenant
        const installation = await installations.find({ enterpriseId, teamId })
        if (!installation) {
          log.warn('a notice has nowhere to go: the app is not installed there any more')
          return
        }
        const delivery = await deliver(webApi, installation.botToken, given.person, toMessage(given))
        if (delivery.kind === 'not-now') throw new SlackUnavailableError('a notice is not taken yet')
        if (delivery.kind !== 'sent') log.warn({ delivery }, 'a notice may not have arrived')
      })
    },
  }
}
