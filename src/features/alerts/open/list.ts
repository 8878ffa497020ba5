import type { Services } from '../../../services.ts'
import { findPermalink } from '../../../slack/api/web-api.ts'
import type { Answer } from '../../../slack/deliver/answers.ts'
import type { Interaction } from '../../../slack/routing/routes.ts'
import { recentLabel } from '../../../time/zones.ts'
import type { OpenPage, OpenRow } from '../actions.ts'
import type { CallChange } from '../handling/changes.ts'
import type { CallHandling } from '../handling/handling.ts'
import { describeProblem } from '../handling/results.ts'
import type { OpenCallGroup, OpenCalls } from './calls.ts'
import { type OpenListView, renderOpenPage, selectOpenPage } from './view.ts'

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

  async list(interaction: Interaction, page: OpenPage, options: ListOptions = {}): Promise<Answer> {
    const { workspaces, now } = this.#services
    const { actor, tenant, channel } = interaction
    const [list, lines, { zone }] = await Promise.all([
      this.#calls.find(actor),
      workspaces.lineNames(tenant),
      workspaces.zone(tenant, channel, actor.person),
    ])
    const content = { list, person: actor.person.id, lines, zone, now: new Date(now()), ...options }
    const selected = selectOpenPage(page, content)
    const links = await this.#findLinks(interaction, selected.items)
    return { message: renderOpenPage(selected, content, links) }
  }

  async #findLinks({ actor, tenant }: Interaction, groups: readonly OpenCallGroup[]) {
    const { alertMessages } = this.#services.store
    const links = new Map<string, string>()
    const ids = new Set(groups.map(({ message }) => message))
    const findLink = async (id: string) => {
      const message = await alertMessages.get(tenant, id)
      if (message?.ts === undefined) return
      const { ts, conversation = message.channel } = message
      const ref = { channel: conversation, ts }
      const link = await findPermalink(this.#services, actor.installation.botToken, ref)
      if (link !== undefined) links.set(id, link)
    }
    await Promise.all([...ids].map(findLink))
    return links
  }

  /** Changes the calls of a row, and returns the list. */
  async change(interaction: Interaction, row: OpenRow, change: CallChange): Promise<Answer> {
    const note = await this.#apply(interaction, row, change)
    return this.list(interaction, row, { note })
  }

  async #apply(interaction: Interaction, row: OpenRow, change: CallChange): Promise<string | undefined> {
    const { actor, tenant, channel } = interaction
    const { workspaces, now } = this.#services
    // The person may have left the channel.
    const { waiting, taken } = await this.#calls.find(actor)
    const groups = row.person === undefined ? waiting : taken
    const isVisible = groups.some(({ message }) => message === row.id)
    const handled = isVisible ? await this.#handling.apply(interaction, row, change) : undefined
    if (!handled || handled.changed.length + handled.kept.length === 0)
      return 'These calls are no longer waiting.'
    const { zone } = await workspaces.zone(tenant, channel, actor.person)
    return describeProblem(change, handled, (at) => recentLabel(zone, new Date(at), new Date(now())))
  }
}
