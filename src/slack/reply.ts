import type { Store } from '../store/open.ts'
import type { TenantKey } from '../store/tenant.ts'
import type { Message } from './blocks.ts'
import { SlackUnavailableError } from './errors.ts'
import type { Responder } from './responder.ts'

/** What a handler answers with. */
export interface Answer {
  readonly message: Message
  /** The same without a table, for where Slack refuses tables. Given exactly where `message` holds one. */
  readonly withoutTable?: Message
  /** Work for after the person has the answer, such as fetching the next page ahead. */
  readonly afterwards?: () => void
}

/** How long a command's answer may take and still ride in the acknowledgement; Slack waits for 3 s. */
export const rideMs = 2000
const plainForMs = 60 * 60_000

export interface Replies {
  /**
   * Acknowledges a command: with the answer where it is ready within 2 s, otherwise with nothing, and the answer follows.
   * A refused table inside an acknowledgement can't be seen, so one rides only where the workspace took one before.
   */
  command(answer: Promise<Answer | undefined>, to: CommandReply): Promise<void>
  /** Answers a click or a submission on a `response_url`, in place of the message that was clicked. */
  replace(answer: Answer, to: { responseUrl: string; tenant: TenantKey }): Promise<void>
}

export interface CommandReply {
  readonly tenant: TenantKey
  readonly responseUrl: string
  readonly ack: (message?: Message & { response_type: 'ephemeral' }) => Promise<void>
}

const late = Symbol('late')

async function within<T>(work: Promise<T>, ms: number): Promise<T | typeof late> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<typeof late>((resolve) => {
    timer = setTimeout(resolve, ms, late)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

export function createReplies(options: { store: Store; responder: Responder; now: () => number }): Replies {
  const { store, responder, now } = options

  async function deliver(
    answer: Answer,
    to: { responseUrl: string; tenant: TenantKey },
    replace: boolean,
  ): Promise<void> {
    const envelope = { response_type: 'ephemeral', replace_original: replace }
    const post = (message: Message) => responder.post(to.responseUrl, { ...envelope, ...message })
    const { message, withoutTable } = answer
    const support = withoutTable ? await store.tableSupport.get(to.tenant) : undefined
    const isRefused = (support?.refusedUntil ?? 0) > now()
    let delivery = await post(isRefused ? (withoutTable ?? message) : message)
    if (!delivery.ok && delivery.error === 'invalid_blocks' && withoutTable && !isRefused) {
      await store.tableSupport.set({ accepted: false, refusedUntil: now() + plainForMs }, to.tenant)
      delivery = await post(withoutTable)
    } else if (delivery.ok && withoutTable && !isRefused && !support?.accepted) {
      await store.tableSupport.set({ accepted: true }, to.tenant)
    }
    if (!delivery.ok) throw new SlackUnavailableError(`response_url refused: ${delivery.error}`)
    answer.afterwards?.()
  }

  /** What may ride in an acknowledgement: `undefined` where the answer has to follow on the `response_url`. */
  async function toRide(answer: Answer, tenant: TenantKey): Promise<Message | undefined> {
    if (!answer.withoutTable) return answer.message
    const support = await store.tableSupport.get(tenant)
    if ((support?.refusedUntil ?? 0) > now()) return answer.withoutTable
    return support?.accepted ? answer.message : undefined
  }

  return {
    async command(work, { tenant, responseUrl, ack }) {
      const ready = await within(work, rideMs)
      if (ready !== late) {
        const message = ready && (await toRide(ready, tenant))
        await ack(message && { ...message, response_type: 'ephemeral' })
        if (message) ready?.afterwards?.()
        else if (ready) await deliver(ready, { responseUrl, tenant }, false)
        return
      }
      await ack()
      const answer = await work
      if (answer) await deliver(answer, { responseUrl, tenant }, false)
    },
    replace: (answer, to) => deliver(answer, to, true),
  }
}
