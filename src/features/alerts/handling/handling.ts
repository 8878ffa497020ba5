import { z } from 'zod'
import type { QueueWork } from '../../../jobs/jobs.ts'
import type { Services } from '../../../services.ts'
import { NotInstalledError } from '../../../slack/access/guards.ts'
import { isSlackFailure, SlackUnavailableError, TokenRefusedError } from '../../../slack/api/web-api.ts'
import type { Interaction } from '../../../slack/routing/routes.ts'
import type { AlertMessageRecord } from '../../../store/alerts.ts'
import { inBatches, type MissedCallRecord, missedCallId } from '../../../store/missed-calls.ts'
import { type TenantKey, tenantKey, type Workspace, workspaceSchema } from '../../../store/tenant.ts'
import { mapConcurrent } from '../../../util/promises.ts'
import { type Milliseconds, minuteMs } from '../../../util/units.ts'
import type { ChosenCalls } from '../actions.ts'
import type { AlertMessages, SyncResult } from '../messages.ts'
import { announceHandover } from './announcements.ts'
import type { CallChange } from './changes.ts'

/** Longer than a click takes. */
const CHECK_DELAY_MS: Milliseconds = minuteMs / 2
const UPDATES_AT_A_TIME = 5

/** Updates messages later if Slack didn't take the update, or the process ended before. */
const updateQueue = {
  name: 'alert-updates',
  schema: z.object({ workspace: workspaceSchema, messages: z.array(z.string()) }),
}

/** Calls of a message: all, those of a line, or those that a person has. */
interface Chosen extends ChosenCalls {
  readonly person?: string | undefined
}

export interface Handled {
  readonly message: AlertMessageRecord
  /** The changed calls in their current state. */
  readonly changed: readonly MissedCallRecord[]
  /** The other calls in their current state: someone else may have come first. */
  readonly kept: readonly MissedCallRecord[]
  /** Whether Slack shows the change in the message. */
  readonly shown: SyncResult
}

/** Changes calls for a person. The first of several changes wins for each call, across processes. */
export class CallHandling {
  readonly #services
  readonly #messages

  constructor(services: Services, messages: AlertMessages) {
    this.#services = services
    this.#messages = messages
  }

  work(): QueueWork<z.infer<typeof updateQueue.schema>> {
    return {
      queue: updateQueue,
      handle: async ({ data: { workspace, messages } }) => {
        const results = await this.#sync(workspace, messages)
        if (results.includes('later')) throw new SlackUnavailableError('Slack: a message was not updated')
      },
    }
  }

  /** @returns undefined if there is no such message any more */
  async apply(
    { actor, tenant }: Pick<Interaction, 'actor' | 'tenant'>,
    chosen: Chosen,
    change: CallChange,
  ): Promise<Handled | undefined> {
    const { workspace } = actor
    const message = await this.#services.store.alertMessages.get(tenant, chosen.id)
    if (!message) return undefined
    const all = await this.#messages.readCalls(message)
    const calls = all.filter((call) => isChosen(call, chosen))
    const toChange = calls.filter((call) => change.apply(call))
    if (toChange.length === 0) return { message, changed: [], kept: calls, shown: 'shown' }
    const messages = listMessages(message.id, toChange)
    await this.#enqueueCheck(workspace, messages)
    await this.#mark(tenant, messages)
    const { before, changed, kept } = await this.#change(tenant, calls, change)
    // Messages that were updated meanwhile may show some of the calls as they were.
    await this.#mark(tenant, messages)
    const [shown = 'later'] = await this.#sync(workspace, messages)
    const announcement = announceHandover(change, before, chosen)
    if (announcement) await this.#messages.announce(actor, message.channel, announcement)
    return { message, changed, kept, shown }
  }

  async #change(tenant: TenantKey, calls: readonly MissedCallRecord[], change: CallChange) {
    const before: MissedCallRecord[] = []
    const changed: MissedCallRecord[] = []
    const kept: MissedCallRecord[] = []
    await inBatches(calls, async (call) => {
      let stored = call
      const after = await this.#services.store.missedCalls.change(tenant, missedCallId(call), (latest) => {
        stored = latest
        return change.apply(latest)
      })
      if (!after) {
        kept.push(stored)
        return
      }
      before.push(stored)
      changed.push(after)
    })
    return { before, changed, kept }
  }

  /** The check runs even if this process ends now. */
  async #enqueueCheck(workspace: Workspace, messages: readonly string[]): Promise<void> {
    const { jobs, now } = this.#services
    const at = now() + CHECK_DELAY_MS
    const id = `${tenantKey(workspace)}/${messages[0]}/${at}`
    await jobs.enqueue(updateQueue, id, { workspace, messages: [...messages] }, new Date(at))
  }

  /** Closes the messages for other calls, and notes that Slack shows an earlier state. */
  async #mark(tenant: TenantKey, messages: readonly string[]): Promise<void> {
    const { alertMessages } = this.#services.store
    await inBatches(messages, (id) =>
      alertMessages.change(tenant, id, (message) => ({
        ...message,
        isClosed: true,
        revision: message.revision + 1,
      })),
    )
  }

  #sync(workspace: Workspace, messages: readonly string[]): Promise<readonly SyncResult[]> {
    return mapConcurrent(messages, UPDATES_AT_A_TIME, async (id) => {
      try {
        return await this.#messages.sync(workspace, id)
      } catch (error) {
        const isRemoved = error instanceof TokenRefusedError || error instanceof NotInstalledError
        if (!isRemoved && !isSlackFailure(error)) throw error
        this.#services.log.info({ err: error }, 'alert message not updated')
        return isRemoved ? 'unchangeable' : 'later'
      }
    })
  }
}

function isChosen(call: MissedCallRecord, { line, person }: Chosen): boolean {
  if (line !== undefined && call.line !== line) return false
  return person === undefined || call.taken?.person === person
}

/** Starts with the clicked message. */
function listMessages(clicked: string, calls: readonly MissedCallRecord[]): readonly string[] {
  const messages = new Set([clicked])
  for (const { shownIn } of calls) for (const { message } of shownIn) messages.add(message)
  return [...messages]
}
