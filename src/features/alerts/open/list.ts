import { isOwn } from '../../../query/filters/filters.ts'
import type { Services } from '../../../services.ts'
import type { Answer } from '../../../slack/deliver/answers.ts'
import * as routing from '../../../slack/routing/routes.ts'
import { unknownWordsMessage } from '../../../slack/routing/words.ts'
import type { Attribution } from '../../../store/missed-calls.ts'
import { type OpenPage, type OpenRow, openActions } from '../actions.ts'
import * as changes from '../handling/changes.ts'
import type { CallHandling } from '../handling/handling.ts'
import type { OpenCalls } from './calls.ts'
import { type OpenListView, renderOpenPage } from './view.ts'

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

  async list(interaction: routing.Interaction, page: OpenPage, options: ListOptions = {}): Promise<Answer> {
    const { workspaces, now } = this.#services
    const { actor, tenant, channel } = interaction
    const [list, lines, { zone }] = await Promise.all([
      this.#calls.find(actor),
      workspaces.lineNames(tenant),
      workspaces.zone(tenant, channel, actor.person),
    ])
    const content = { list, person: actor.person.id, lines, zone, now: new Date(now()), ...options }
    return { message: renderOpenPage(page, content) }
  }

  /** Changes the calls of a row, and returns the list. */
  async #change(
    interaction: routing.Interaction,
    row: OpenRow,
    toChange: (by: Attribution) => changes.CallChange,
  ): Promise<Answer> {
    const list = await this.#calls.find(interaction.actor)
    // The person may have left the channel.
    const isVisible = list.some(({ message, owner }) => message === row.id && owner?.person === row.person)
    if (!isVisible) return this.list(interaction, row, { note: 'These calls are no longer waiting.' })
    const note = await this.#handling.apply(interaction, row, toChange)
    return this.list(interaction, row, { note })
  }

  commands(): readonly routing.CommandRoute[] {
    /** `/calls open`, and `/calls open mine`. */
    const listCommand = (word: string, view: OpenPage['view']): routing.CommandRoute => ({
      command: 'calls',
      word,
      moreWords: 'read',
      needs: 'calls',
      handle: async ({ interaction, words }) => {
        const unknownWords = words.filter(({ value }) => !isOwn(value))
        if (unknownWords.length > 0) return { message: unknownWordsMessage(unknownWords, `/calls ${word}`) }
        return this.list(interaction, { view: words.length > 0 ? 'mine' : view, page: 1 })
      },
    })
    return [listCommand('open', 'open'), listCommand('waiting', 'open'), listCommand('taken', 'taken')]
  }

  actions(): readonly routing.ActionRoute[] {
    const rowHandler = (
      toChange: (by: Attribution) => changes.CallChange,
    ): routing.ActionHandler<OpenRow> => ({
      needs: 'calls',
      handle: ({ interaction, value }) => this.#change(interaction, value, toChange),
    })
    return routing.bind(openActions, {
      // The button is in a report that everyone may see, so the report stays.
      show: {
        needs: 'calls',
        replacesOriginal: false,
        handle: ({ interaction }) => this.list(interaction, { view: 'open', page: 1 }),
      },
      page: { needs: 'calls', handle: ({ interaction, value }) => this.list(interaction, value) },
      take: rowHandler(changes.take),
      done: rowHandler(changes.finish),
      // The row names the person who has the calls: all that this person has until now.
      release: rowHandler((by) => changes.release(by, by.at)),
    })
  }
}
