import type { Services } from '../../../services.ts'
import { findPermalink } from '../../../slack/api/web-api.ts'
import type { Answer } from '../../../slack/deliver/answers.ts'
import type { Interaction } from '../../../slack/routing/routes.ts'
import type { Attribution } from '../../../store/missed-calls.ts'
import type { OpenPage, OpenRow } from '../actions.ts'
import type { CallChange } from '../handling/changes.ts'
import type { CallHandling } from '../handling/handling.ts'
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
  async change(
    interaction: Interaction,
    row: OpenRow,
    toChange: (by: Attribution) => CallChange,
  ): Promise<Answer> {
    // The person may have left the channel.
    const { waiting, taken } = await this.#calls.find(interaction.actor)
    const groups = row.person === undefined ? waiting : taken
    const isVisible = groups.some(({ message }) => message === row.id)
    if (!isVisible) return this.list(interaction, row, { note: 'These calls are no longer waiting.' })
    const note = await this.#handling.apply(interaction, row, toChange)
    return this.list(interaction, row, { note })
  }
}
