import type { Services } from '../../../services.ts'
import { findPermalink } from '../../../slack/api/web-api.ts'
import type { Answer } from '../../../slack/deliver/answers.ts'
import type { Interaction } from '../../../slack/routing/routes.ts'
import { recentLabel } from '../../../time/zones.ts'
import type { OpenPage, OpenRow } from '../actions.ts'
import { type Announcements, announceRelease } from '../handling/announcements.ts'
import { type CallChange, finish, release, take } from '../handling/changes.ts'
import type { CallHandling } from '../handling/handling.ts'
import { describeResult, type ListChangeName } from '../handling/results.ts'
import type { OpenCalls } from './calls.ts'
import { type OpenListView, paginateOpen, renderOpenList } from './view.ts'

type ListOptions = Pick<OpenListView, 'note' | 'toolPaging'>

/** Lists the missed calls that wait, and those that someone has and hasn't finished. */
export class OpenLists {
  readonly #services
  readonly #calls
  readonly #handling
  readonly #announcements

  constructor(
    services: Services,
    parts: { calls: OpenCalls; handling: CallHandling; announcements: Announcements },
  ) {
    this.#services = services
    this.#calls = parts.calls
    this.#handling = parts.handling
    this.#announcements = parts.announcements
  }

  async list(interaction: Interaction, { view, page }: OpenPage, options: ListOptions = {}): Promise<Answer> {
    const { workspaces, now } = this.#services
    const { actor, tenant, channel: here } = interaction
    const [list, lines, { zone }] = await Promise.all([
      this.#calls.find(actor),
      workspaces.lineNames(tenant),
      workspaces.zone(tenant, here, actor.person),
    ])
    const shown = { list, person: actor.person.id, lines, zone, now: new Date(now()), ...options }
    const content = { ...shown, links: new Map<string, string>() }
    const { items } = paginateOpen(view, page, content)
    const ids = [...new Set(items.map(({ message }) => message))]
    const links = await Promise.all(
      ids.map(async (id) => [id, await this.#findLink(interaction, id)] as const),
    )
    for (const [id, link] of links) if (link !== undefined) content.links.set(id, link)
    return { message: renderOpenList(view, page, content) }
  }

  async #findLink({ actor, tenant }: Interaction, id: string): Promise<string | undefined> {
    const message = await this.#services.store.alertMessages.get(tenant, id)
    if (message?.ts === undefined) return undefined
    const { ts, channel, conversation = channel } = message
    return findPermalink(this.#services, actor.installation.botToken, { channel: conversation, ts })
  }

  take(interaction: Interaction, row: OpenRow): Promise<Answer> {
    return this.#change(interaction, row, 'take', take(this.#handling.attribute(interaction)))
  }

  finish(interaction: Interaction, row: OpenRow): Promise<Answer> {
    return this.#change(interaction, row, 'finish', finish(this.#handling.attribute(interaction)))
  }

  release(interaction: Interaction, row: OpenRow): Promise<Answer> {
    const by = this.#handling.attribute(interaction)
    return this.#change(interaction, row, 'release', release(by, by.at))
  }

  async #change(
    interaction: Interaction,
    row: OpenRow,
    name: ListChangeName,
    change: CallChange,
  ): Promise<Answer> {
    const note = await this.#apply(interaction, row, name, change)
    return this.list(interaction, row, { note })
  }

  async #apply(interaction: Interaction, row: OpenRow, name: ListChangeName, change: CallChange) {
    const { actor, tenant, channel } = interaction
    const { workspaces, now } = this.#services
    const { id, line, person } = row
    // The person may have left the channel.
    const isVisible = await this.#isVisible(interaction, row)
    const handled = isVisible && (await this.#handling.apply(interaction, { id, line, person }, change))
    if (!handled || (handled.changed.length === 0 && handled.kept.length === 0))
      return 'These calls are no longer waiting.'
    if (name === 'release') {
      const [{ released } = {}] = handled.changed
      const text = released && announceRelease(released, handled.before, { id, line })
      await this.#announcements.post(actor, handled.message.channel, text)
    }
    const { zone } = await workspaces.zone(tenant, channel, actor.person)
    return describeResult(name, handled, (at) => recentLabel(zone, new Date(at), new Date(now())))
  }

  async #isVisible({ actor }: Interaction, { id, line, person }: OpenRow): Promise<boolean> {
    const { waiting, taken } = await this.#calls.find(actor)
    const groups = person === undefined ? waiting : taken
    return groups.some(
      (group) => group.message === id && group.line === line && group.owner?.person === person,
    )
  }
}
