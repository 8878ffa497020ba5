import { z } from 'zod'
import type { QueueWork } from '../../../jobs/jobs.ts'
import type { Services } from '../../../services.ts'
import { NotInstalledError } from '../../../slack/access/guards.ts'
import { SlackUnavailableError, TokenRefusedError } from '../../../slack/api/web-api.ts'
import type { Interaction } from '../../../slack/routing/routes.ts'
import type { AlertMessageRecord } from '../../../store/alerts.ts'
import {
  type Attribution,
  inBatches,
  type MissedCallRecord,
  missedCallId,
} from '../../../store/missed-calls.ts'
import { type TenantKey, tenantKey, type Workspace, workspaceSchema } from '../../../store/tenant.ts'
import { mapConcurrent } from '../../../util/promises.ts'
import { type Milliseconds, minuteMs } from '../../../util/units.ts'
import type { AlertMessages, SyncResult } from '../messages.ts'
import type { CallChange } from './changes.ts'

/** Longer than a click takes. */
const CHECK_DELAY_MS: Milliseconds = minuteMs / 2
const UPDATES_AT_A_TIME = 5

/** Brings messages in line that could not be updated, or whose process ended. */
const updateQueue = {
  name: 'alert-updates',
  schema: z.object({ workspace: workspaceSchema, messages: z.array(z.string()) }),
}

/** Calls of a message: all, those of a line, or those that a person has. */
export interface Chosen {
  readonly id: string
  readonly line?: string | undefined
  readonly person?: string | undefined
}

export interface Handled {
  readonly message: AlertMessageRecord
  /** Their current state. */
  readonly changed: readonly MissedCallRecord[]
  /** The changed calls as they were. */
  readonly before: readonly MissedCallRecord[]
  /** Their current state: someone else may have come first. */
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

  attribute({ actor }: Pick<Interaction, 'actor'>): Attribution {
    return { person: actor.person.id, name: actor.person.name, at: this.#services.now() }
  }

  /**
   * @param ts of the clicked message; the record has none if the process ended before it stored it
   * @returns undefined if there is no such message any more
   */
  async apply(
    { actor, tenant, channel }: Interaction,
    chosen: Chosen,
    change: CallChange,
    ts?: string,
  ): Promise<Handled | undefined> {
    const { store } = this.#services
    const message = await store.alertMessages.get(tenant, chosen.id)
    if (!message) return undefined
    const calls = await this.#readChosen(message, chosen)
    const toChange = calls.filter(change)
    if (toChange.length === 0) return { message, changed: [], before: [], kept: calls, shown: 'shown' }
    const messages = listMessages(message.id, toChange)
    const place = ts === undefined ? undefined : { id: message.id, ts, conversation: channel }
    await this.#enqueueCheck(actor.workspace, messages)
    await this.#mark(actor.workspace, messages, place)
    const results = await inBatches(toChange, (call) => this.#change(tenant, call, change))
    // Messages that were updated meanwhile may show some of the calls as they were.
    await this.#mark(actor.workspace, messages)
    const [shown = 'later'] = await this.#sync(actor.workspace, messages)
    const unchanged = calls.filter((call) => !change(call))
    const late = results.filter(({ changed }) => !changed)
    return {
      message,
      changed: results.flatMap(({ changed = [] }) => changed),
      before: results.filter(({ changed }) => changed).map(({ before }) => before),
      kept: [...unchanged, ...late.map(({ before }) => before)],
      shown,
    }
  }

  /** @returns no `changed` if the stored call stays as it is */
  async #change(tenant: TenantKey, call: MissedCallRecord, change: CallChange) {
    let before = call
    const changed = await this.#services.store.missedCalls.change(tenant, missedCallId(call), (latest) => {
      before = latest
      return change(latest)
    })
    return { before, changed }
  }

  async #readChosen(message: AlertMessageRecord, { line, person }: Chosen) {
    const calls = await this.#messages.readCalls(message.workspace, message.calls)
    return calls.filter(
      (call) =>
        (line === undefined || call.line === line) && (person === undefined || call.taken?.person === person),
    )
  }

  /** The check runs even if this process ends now. */
  async #enqueueCheck(workspace: Workspace, messages: readonly string[]): Promise<void> {
    const { jobs, now } = this.#services
    const at = now() + CHECK_DELAY_MS
    const id = `${tenantKey(workspace)}/${messages[0]}/${at}`
    await jobs.enqueue(updateQueue, id, { workspace, messages: [...messages] }, new Date(at))
  }

  /** Closes the messages for other calls, and notes that Slack shows an earlier state. */
  async #mark(
    workspace: Workspace,
    messages: readonly string[],
    place?: { readonly id: string; readonly ts: string; readonly conversation: string },
  ): Promise<void> {
    const { alertMessages } = this.#services.store
    await inBatches(messages, (id) =>
      alertMessages.change(tenantKey(workspace), id, (message) => {
        const marked: AlertMessageRecord = { ...message, isClosed: true, revision: message.revision + 1 }
        if (message.ts !== undefined || place?.id !== id) return marked
        return { ...marked, ts: place.ts, conversation: place.conversation }
      }),
    )
  }

  #sync(workspace: Workspace, messages: readonly string[]): Promise<readonly SyncResult[]> {
    return mapConcurrent(messages, UPDATES_AT_A_TIME, async (id) => {
      try {
        return await this.#messages.sync(workspace, id)
      } catch (error) {
        const isRemoved = error instanceof TokenRefusedError || error instanceof NotInstalledError
        if (!isRemoved && !(error instanceof SlackUnavailableError)) throw error
        this.#services.log.info({ err: error }, 'alert message not updated')
        return isRemoved ? 'unchangeable' : 'later'
      }
    })
  }
}

/** Starts with the clicked message. */
function listMessages(clicked: string, calls: readonly MissedCallRecord[]): readonly string[] {
  const messages = new Set([clicked])
  for (const { shownIn } of calls) for (const { message } of shownIn) messages.add(message)
  return [...messages]
}
