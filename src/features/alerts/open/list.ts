import type { Services } from '../../../services.ts'
import { findPermalink } from '../../../slack/api/web-api.ts'
import type { Answer } from '../../../slack/deliver/answers.ts'
import type { Interaction } from '../../../slack/routing/routes.ts'
import { recentLabel } from '../../../time/zones.ts'
import type { OpenPage, OpenRow } from '../actions.ts'
import type { CallChange } from '../handling/changes.ts'
import type { CallHandling } from '../handling/handling.ts'
import { describeResult } from '../handling/results.ts'
import type { OpenCallGroup, OpenCalls } from './calls.ts'
import { type OpenListView, paginateOpen, renderOpenList } from './view.ts'

type ListOptions = Pick<OpenListView, 'note' | 'toolPaging'>

/** Lists the missed calls that wait, and those that someone has and hasn't finished. */
export class OpenLists {
  readonly #services
  readonly #calls
  readonly #handling

  constructor(services: Services, calls: OpenCalls, handling: CallHandling) {
    this.#services = services
    this.#calls = calls
    this.#handling = handling
  }

  async list(interaction: Interaction, { view, page }: OpenPage, options: ListOptions = {}): Promise<Answer> {
    const { workspaces, now } = this.#services
    const { actor, tenant, channel } = interaction
    const [list, lines, { zone }] = await Promise.all([
      this.#calls.find(actor),
      workspaces.lineNames(tenant),
      workspaces.zone(tenant, channel, actor.person),
    ])
    const content = { list, person: actor.person.id, lines, zone, now: new Date(now()), ...options }
    const { items } = paginateOpen(view, page, content)
    const links = await this.#findLinks(interaction, items)
    return { message: renderOpenList(view, page, { ...content, links }) }
  }

  async #findLinks(interaction: Interaction, groups: readonly OpenCallGroup[]) {
    const links = new Map<string, string>()
    const messages = new Set(groups.map(({ message }) => message))
    const findLink = async (id: string) => {
      const link = await this.#findLink(interaction, id)
      if (link !== undefined) links.set(id, link)
    }
    await Promise.all([...messages].map(findLink))
    return links
  }

  async #findLink({ actor, tenant }: Interaction, id: string): Promise<string | undefined> {
    const message = await this.#services.store.alertMessages.get(tenant, id)
    if (message?.ts === undefined) return undefined
    const { ts, channel, conversation = channel } = message
    return findPermalink(this.#services, actor.installation.botToken, { channel: conversation, ts })
  }

  /** Changes the calls of a row, and returns the list with the result. */
  async change(interaction: Interaction, row: OpenRow, change: CallChange): Promise<Answer> {
    const note = await this.#apply(interaction, row, change)
    return this.list(interaction, row, { note })
  }

  async #apply(interaction: Interaction, row: OpenRow, change: CallChange): Promise<string> {
    const { actor, tenant, channel } = interaction
    const { workspaces, now } = this.#services
    const { id, line, person } = row
    // The person may have left the channel.
    const isVisible = await this.#isVisible(interaction, row)
    const handled = isVisible && (await this.#handling.apply(interaction, { id, line, person }, change))
    if (!handled || (handled.changed.length === 0 && handled.kept.length === 0))
      return 'These calls are no longer waiting.'
    const { zone } = await workspaces.zone(tenant, channel, actor.person)
    return describeResult(change, handled, (at) => recentLabel(zone, new Date(at), new Date(now())))
  }

  async #isVisible({ actor }: Interaction, { id, person }: OpenRow): Promise<boolean> {
    const { waiting, taken } = await this.#calls.find(actor)
    const groups = person === undefined ? waiting : taken
    return groups.some(({ message }) => message === id)
  }
}
