import { isOwn } from '../../../query/filters/filters.ts'
import type { Services } from '../../../services.ts'
import type { Actor } from '../../../slack/access/guards.ts'
import { isPersonId } from '../../../slack/blocks/blocks.ts'
import type { Answer } from '../../../slack/deliver/answers.ts'
import * as routing from '../../../slack/routing/routes.ts'
import { unknownWordsMessage } from '../../../slack/routing/words.ts'
import { getPostedAt, type MissedCallRecord, scanMissedCalls } from '../../../store/missed-calls.ts'
import type { TenantKey } from '../../../store/tenant.ts'
import { dayMs } from '../../../util/units.ts'
import { type OpenPage, type OpenRow, openActions } from '../actions.ts'
import * as changes from '../handling/changes.ts'
import type { CallHandling } from '../handling/handling.ts'
import * as view from './view.ts'

type ListOptions = Pick<view.OpenContent, 'note' | 'toolPaging'>
type Place = MissedCallRecord['shownIn'][number]
type Reading = Promise<readonly MissedCallRecord[]>

/** Lists missed calls until they are done. People of a workspace who ask at the same time share a reading. */
export class OpenLists {
  readonly #services
  readonly #handling
  /** Readings that haven't started, so they will see all changes until now. A tenant has at most one. */
  readonly #notStarted = new Map<TenantKey, Reading>()
  /** The reading that a tenant's next one waits for: one that runs, or hasn't started. */
  readonly #last = new Map<TenantKey, Reading>()

  constructor(services: Services, handling: CallHandling) {
    this.#services = services
    this.#handling = handling
  }

  /** Finds calls in channels that the person is in, and in the person's direct messages. @throws {StoreError | SlackFailure} */
  async find(actor: Actor): Promise<view.OpenCallList> {
    const { person, tenant } = actor
    const calls = await this.#readShared(tenant)
    if (calls.length === 0) return []
    const joined = await this.#services.channels.listJoined(actor)
    const canSee = (channel: string) => (isPersonId(channel) ? channel === person.id : joined.has(channel))
    const groups = new Map<string, view.OpenCallGroup>()
    for (const call of calls) {
      const place = call.shownIn.find(({ channel }) => canSee(channel))
      if (place) addToGroups(groups, place, call)
    }
    const oldestFirst = [...groups.values()].sort((a, b) => a.since - b.since)
    const waiting = oldestFirst.filter(({ owner }) => !owner)
    const own = oldestFirst.filter(({ owner }) => owner?.person === person.id)
    const others = oldestFirst.filter(({ owner }) => owner && owner.person !== person.id)
    return [...waiting, ...own, ...others]
  }

  /** Joins only a reading that hasn't started: a started one may miss what the caller has just changed. */
  #readShared(tenant: TenantKey): Reading {
    const notStarted = this.#notStarted.get(tenant)
    if (notStarted) return notStarted
    const reading = this.#readAfter(this.#last.get(tenant), tenant)
    this.#notStarted.set(tenant, reading)
    this.#last.set(tenant, reading)
    return reading
  }

  async #readAfter(previous: Reading | undefined, tenant: TenantKey): Reading {
    // Callers of the previous reading handle its failure. Without one, this waits a moment, too, in which others can join.
    await previous?.catch(() => {})
    this.#notStarted.delete(tenant)
    try {
      return await this.#read(tenant)
    } finally {
      const isLast = !this.#notStarted.has(tenant)
      if (isLast) this.#last.delete(tenant)
    }
  }

  async #read(tenant: TenantKey): Reading {
    const { store, now } = this.#services
    const start = now() - view.MAX_OPEN_DAYS * dayMs
    const calls: MissedCallRecord[] = []
    for await (const call of scanMissedCalls(store.missedCalls, tenant, { start }))
      if (!call.done) calls.push(call)
    return calls
  }

  async list(interaction: routing.Interaction, page: OpenPage, options: ListOptions = {}): Promise<Answer> {
    const { workspaces, now } = this.#services
    const { actor, tenant, channel } = interaction
    const [list, lines, { zone }] = await Promise.all([
      this.find(actor),
      workspaces.getLineNames(tenant),
      workspaces.findZone(tenant, channel, actor.person),
    ])
    const content = { list, person: actor.person.id, lines, zone, now: new Date(now()), ...options }
    return { message: view.renderOpenPage(page, content) }
  }

  /** Changes the calls of a row, and returns the list. */
  async #change(interaction: routing.Interaction, row: OpenRow, createChange: changes.CreateChange) {
    const list = await this.find(interaction.actor)
    // Someone may have finished the calls meanwhile, or the person may have left the channel.
    const isListed = list.some(({ message, owner }) => message === row.id && owner?.person === row.person)
    if (!isListed) return this.list(interaction, row, { note: 'These calls are no longer waiting.' })
    const note = await this.#handling.changeCalls(interaction, row, createChange)
    return this.list(interaction, row, { note })
  }

  commands(): readonly routing.CommandRoute[] {
    const createRoute = (word: string, defaultView: OpenPage['view']): routing.CommandRoute => ({
      command: 'calls',
      word,
      moreWords: 'read',
      needs: 'calls',
      handle: async ({ interaction, words }) => {
        const asksForOwn = words.some(({ value }) => isOwn(value))
        const otherWords = words.filter(({ value }) => !isOwn(value))
        const command = `/calls ${word}${asksForOwn ? ' mine' : ''}`
        if (otherWords.length > 0) return { message: unknownWordsMessage(otherWords, command) }
        return this.list(interaction, { view: asksForOwn ? 'mine' : defaultView, page: 1 })
      },
    })
    return [createRoute('open', 'open'), createRoute('waiting', 'open'), createRoute('taken', 'taken')]
  }

  actions(): readonly routing.ActionRoute[] {
    const createHandler = (createChange: changes.CreateChange): routing.ActionHandler<OpenRow> => ({
      needs: 'calls',
      handle: ({ interaction, value }) => this.#change(interaction, value, createChange),
    })
    return routing.bind(openActions, {
      // The button is in a report that everyone may see, so the report stays.
      show: {
        needs: 'calls',
        replacesOriginal: false,
        handle: ({ interaction }) => this.list(interaction, { view: 'open', page: 1 }),
      },
      page: { needs: 'calls', handle: ({ interaction, value }) => this.list(interaction, value) },
      take: createHandler(changes.take),
      done: createHandler(changes.finish),
      // Releases all calls that the person of the row has taken until this click.
      release: createHandler((by) => changes.release(by, by.at)),
    })
  }
}

function addToGroups(groups: Map<string, view.OpenCallGroup>, place: Place, call: MissedCallRecord): void {
  const { message, channel } = place
  const { line, taken: owner, at } = call
  const key = `${message}\n${line}\n${owner?.person ?? ''}`
  const since = owner?.at ?? getPostedAt(call) ?? at
  const group = groups.get(key) ?? { message, channel, line, owner, count: 0, firstAt: at, since }
  group.count += 1
  group.firstAt = Math.min(group.firstAt, at)
  group.since = Math.min(group.since, since)
  groups.set(key, group)
}
