import { z } from 'zod'
import type { QueueWork } from '../../../jobs/jobs.ts'
import type { Services } from '../../../services.ts'
import { NotAllowedError } from '../../../slack/access/access-rules.ts'
import { NotInstalledError } from '../../../slack/access/guards.ts'
import { SlackFailure } from '../../../slack/api/slack-failure.ts'
import { modalWithMetadata, readMetadata } from '../../../slack/blocks/modal.ts'
import { textAnswer } from '../../../slack/deliver/answers.ts'
import { messageModal } from '../../../slack/deliver/modals.ts'
import { people } from '../../../slack/forms/fields.ts'
import { Form } from '../../../slack/forms/form.ts'
import * as routing from '../../../slack/routing/routes.ts'
import { inBatches, type MissedCallRecord, toMissedCallId } from '../../../store/missed-calls.ts'
import { type TenantKey, tenantKey, type Workspace, workspaceSchema } from '../../../store/tenant.ts'
import { recentLabel } from '../../../time/zones.ts'
import { mapConcurrent } from '../../../util/promises.ts'
import { formatNumber } from '../../../util/text.ts'
import { type EpochMs, type Milliseconds, minuteMs } from '../../../util/units.ts'
import * as actions from '../actions.ts'
import type { AlertMessages, SyncResult } from '../messages.ts'
import * as words from '../words.ts'
import * as changes from './changes.ts'

const ASSIGN_TITLE = 'Assign missed calls'
const ASSIGN_ID = 'alert.assign'

/** Not strict, because a modal's metadata holds its origin, too. */
const assignMetadataSchema = z.object(actions.alertMenuSchema.shape)

const assignForm = new Form({
  person: people('Who calls back?', [], {
    hint: 'They see it in the message, in /calls open and on Home.',
    validate: (ids) => (ids.length === 1 ? undefined : 'Choose one person.'),
  }),
})

/** Longer than a click takes. */
const UPDATE_DELAY_MS: Milliseconds = minuteMs / 2
const UPDATES_AT_A_TIME = 5

/** Updates messages later, in case Slack didn't take the update or the process ended before it. */
const updateQueue = {
  name: 'alert-updates',
  schema: z.object({ workspace: workspaceSchema, messages: z.array(z.string()) }),
}

/** Selects calls of a message: all, those of a line, or those that a person has. */
type CallSelection = actions.ChosenCalls & { readonly person?: string | undefined }

interface ChangeResult {
  /** In their state before the change. */
  readonly changed: readonly MissedCallRecord[]
  /** In their latest state: others may have been faster. */
  readonly kept: readonly MissedCallRecord[]
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
        if (results.includes('later')) throw new SlackFailure('a message was not updated')
      },
    }
  }

  actions(): readonly routing.ActionRoute[] {
    const take = this.#createHandler(changes.take)
    return [
      ...routing.bind(actions.messageActions, {
        take,
        takeLine: take,
        done: this.#createHandler(changes.finish),
        undo: this.#createHandler((_, { at }) => changes.undo(at)),
      }),
      ...routing.bind(actions.callMenuEntries, {
        assign: {
          needs: 'member',
          opensModal: true,
          handle: async ({ interaction: { actor, channel }, value }) =>
            modalWithMetadata(assignMetadataSchema, {
              id: ASSIGN_ID,
              origin: { workspace: actor.workspace, channel },
              metadata: value,
              title: ASSIGN_TITLE,
              submit: 'Assign',
              blocks: assignForm.buildInputs(),
            }),
        },
        release: this.#createHandler((by, { at }) => changes.release(by, at)),
        reopen: this.#createHandler((_, { at }) => changes.reopen(at)),
      }),
    ]
  }

  submissions(): readonly routing.SubmissionRoute[] {
    return [{ view: ASSIGN_ID, needs: 'member', handle: (request) => this.#assign(request) }]
  }

  /** Everyone sees the message, so it stays. */
  #createHandler<Value extends actions.ChosenCalls>(
    createChange: changes.CreateChange<Value>,
  ): routing.ActionHandler<Value> {
    return {
      needs: 'member',
      replacesOriginal: false,
      handle: async ({ interaction, value }) => {
        const note = await this.changeCalls(interaction, value, (by) => createChange(by, value))
        return note === undefined ? undefined : textAnswer(note)
      },
    }
  }

  async #assign({ interaction, view }: routing.SubmissionRequest): Promise<routing.SubmissionResult> {
    const { values, errors } = assignForm.read(view)
    if (!values) return { errors }
    const [personId = ''] = values.person
    const assignee = await this.#findAssignee(interaction.actor.workspace, personId)
    if (!assignee)
      return { errors: { person: "They can't see calls. Choose someone else, or ask an administrator." } }
    const value = readMetadata(view, assignMetadataSchema)
    const assign: changes.CreateChange = (by) => changes.assign(assignee, by, value.at)
    const note = await this.changeCalls(interaction, value, assign)
    return { view: messageModal(note ?? 'Assigned.', { title: ASSIGN_TITLE }) }
  }

  /** Returns undefined for someone who can't see calls. */
  async #findAssignee(workspace: Workspace, id: string): Promise<changes.Assignee | undefined> {
    try {
      const { person } = await this.#services.guards.admit(workspace, id, 'calls')
      return { person: person.id, name: person.name }
    } catch (error) {
      if (error instanceof NotAllowedError) return undefined
      throw error
    }
  }

  /** Returns what the message doesn't show, as mrkdwn for the person who clicked. @param createChange receives that person */
  async changeCalls(
    { actor, tenant, channel }: routing.Interaction,
    selection: CallSelection,
    createChange: changes.CreateChange,
  ): Promise<string | undefined> {
    const { store, workspaces, now } = this.#services
    const { workspace, person } = actor
    const change = createChange({ person: person.id, name: person.name, at: now() })
    const { zone } = await workspaces.findZone(tenant, channel, person)
    const formatTime = (at: EpochMs) => recentLabel(zone, new Date(at), new Date(now()))
    const message = await store.alertMessages.get(tenant, selection.id)
    if (!message) return "It's too old: alerts are kept for 100 days."
    const messageCalls = await this.#messages.readCalls(message)
    const calls = messageCalls.filter((call) => isSelected(call, selection))
    const changeable = calls.filter((call) => change.apply(call) !== undefined)
    if (changeable.length === 0) return describeOwnership(calls, formatTime)
    const messageIds = listMessages(message.id, changeable)
    await this.#enqueueUpdate(workspace, messageIds)
    // Before the change: if this process ends in it, the enqueued update shows the change.
    await this.#markOutdated(tenant, messageIds)
    // All of them, so that those which others have are known, too.
    const result = await this.#changeRecords(tenant, calls, change)
    // Again: messages that were updated meanwhile may show some of the calls as they were.
    await this.#markOutdated(tenant, messageIds)
    const [clickedSyncResult = 'later'] = await this.#sync(workspace, messageIds)
    const announcement = changes.describeHandover(change, result.changed, selection)
    if (announcement) await this.#messages.announce(actor, message.channel, announcement)
    return describeUnshown(change, result, clickedSyncResult, formatTime)
  }

  async #changeRecords(tenant: TenantKey, calls: readonly MissedCallRecord[], change: changes.CallChange) {
    const { missedCalls } = this.#services.store
    const changed: MissedCallRecord[] = []
    const kept: MissedCallRecord[] = []
    await inBatches(calls, async (call) => {
      let latest = call
      const changedRecord = await missedCalls.change(tenant, toMissedCallId(call), (stored) => {
        latest = stored
        return change.apply(stored)
      })
      if (changedRecord) changed.push(latest)
      else kept.push(latest)
    })
    return { changed, kept }
  }

  async #enqueueUpdate(workspace: Workspace, messageIds: readonly string[]): Promise<void> {
    const { jobs, now } = this.#services
    const at = now() + UPDATE_DELAY_MS
    const jobId = `${tenantKey(workspace)}/${messageIds[0]}/${at}`
    await jobs.enqueue(updateQueue, jobId, { workspace, messages: [...messageIds] }, new Date(at))
  }

  /** Keeps later calls out of the messages, and notes that Slack shows an earlier state. */
  async #markOutdated(tenant: TenantKey, messageIds: readonly string[]): Promise<void> {
    const { alertMessages } = this.#services.store
    await inBatches(messageIds, (id) =>
      alertMessages.change(tenant, id, (message) => ({
        ...message,
        isClosed: true,
        revision: message.revision + 1,
      })),
    )
  }

  #sync(workspace: Workspace, messageIds: readonly string[]): Promise<readonly SyncResult[]> {
    return mapConcurrent(messageIds, UPDATES_AT_A_TIME, async (id) => {
      try {
        return await this.#messages.sync(workspace, id)
      } catch (error) {
        if (!(error instanceof SlackFailure || error instanceof NotInstalledError)) throw error
        this.#services.log.info({ err: error }, 'alert message not updated')
        return 'later'
      }
    })
  }
}

function isSelected(call: MissedCallRecord, { line, person }: CallSelection): boolean {
  if (line !== undefined && call.line !== line) return false
  return person === undefined || call.taken?.person === person
}

/** Returns the ids of all messages that show the calls, that of the clicked one first. */
function listMessages(clickedId: string, calls: readonly MissedCallRecord[]): readonly string[] {
  const ids = new Set([clickedId])
  for (const { shownIn } of calls) for (const { message } of shownIn) ids.add(message)
  return [...ids]
}

type FormatTime = (at: EpochMs) => string

/** `Ada Marsh has had 12 since 11:08. Ben Okoro finished 3 at 11:10.` */
function describeOwners(owners: readonly words.CallOwner[], formatTime: FormatTime): string {
  const texts = owners.slice(0, words.MAX_NAMED_OWNERS).map(({ name, isDone, since, count }) => {
    if (isDone) return `${words.formatLabel(name)} finished ${formatNumber(count)} at ${formatTime(since)}.`
    return `${words.formatLabel(name)} has had ${formatNumber(count)} since ${formatTime(since)}.`
  })
  return texts.join(' ')
}

/** Says who has the calls, or finished them. Returns mrkdwn. */
function describeOwnership(calls: readonly MissedCallRecord[], formatTime: FormatTime): string {
  const owners = words.listOwners(calls)
  const [owner, ...others] = owners
  if (!owner) return 'Someone has released or reopened it since.'
  if (others.length > 0) return describeOwners(owners, formatTime)
  const state = owner.isDone ? 'done' : 'taken'
  return `Already ${state} by ${words.formatLabel(owner.name)} at ${formatTime(owner.since)}.`
}

/** Returns what the clicked message doesn't show, as mrkdwn; undefined if it shows everything. */
function describeUnshown(
  { isTake }: changes.CallChange,
  { changed, kept }: ChangeResult,
  syncResult: SyncResult,
  formatTime: FormatTime,
): string | undefined {
  if (changed.length === 0) return describeOwnership(kept, formatTime)
  const texts: string[] = []
  if (isTake && kept.length > 0) {
    texts.push(`You took ${formatNumber(changed.length)}.`)
    texts.push(describeOwners(words.listOwners(kept), formatTime))
  }
  if (syncResult === 'unchangeable')
    texts.push("Saved, but Slack doesn't let Callboard change this message any more.")
  if (syncResult === 'later') texts.push('Saved. Slack will show it with the next update.')
  return texts.length === 0 ? undefined : texts.join(' ')
}
