import type { Services } from '../../services.ts'
import { type Actor, NotAllowedError } from '../../slack/access/guards.ts'
import { action, commandButton } from '../../slack/blocks/action.ts'
import { actionRow, type Block, context, section, sectionWith } from '../../slack/blocks/blocks.ts'
import { type Answer, textAnswer } from '../../slack/deliver/replies.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import type { Area } from '../../store/workspaces.ts'
import type { SubscriptionInfo, SubscriptionRow } from '../subscriptions/kind.ts'
import type { ListedKind } from '../subscriptions/routes.ts'
import { rowBlock } from '../subscriptions/view.ts'

const MAX_HOME_ROWS = 5

export const takeOver = action('home.take-over')

/** Blocks about the subscriptions that a person may see. */
export interface SubscriptionsPart {
  /** One row about those whose owner has left; for administrators. */
  readonly orphans: readonly Block[]
  readonly sections: readonly Block[]
}

interface SubscriptionSection {
  readonly info: SubscriptionInfo
  readonly rows: readonly SubscriptionRow[]
  /** About records that can't be read. mrkdwn. */
  readonly note?: string | undefined
}

export function orphanBlocks(orphans: readonly Pick<SubscriptionRow, 'title' | 'owner'>[]): Block[] {
  if (orphans.length === 0) return []
  const more = orphans.length > MAX_HOME_ROWS ? [`and ${orphans.length - MAX_HOME_ROWS} more`] : []
  const lines = orphans.slice(0, MAX_HOME_ROWS).map(({ title, owner }) => `• ${title}, set up by <@${owner}>`)
  const text = '⚠ *Set up by people who left or lost access.* Take over to keep these going:'
  return [
    sectionWith([text, ...lines, ...more].join('\n'), takeOver.button('Take over', undefined, 'primary')),
    { type: 'divider' },
  ]
}

/** Failing subscriptions first, then by next post. */
const compareRows = (one: SubscriptionRow, other: SubscriptionRow) =>
  Number(other.isFailing) - Number(one.isFailing) || (one.at === other.at ? 0 : one.at - other.at)

/** @param isConnected offers to create one */
export function sectionBlocks({ info, rows, note }: SubscriptionSection, isConnected: boolean): Block[] {
  if (rows.length === 0 && !isConnected) return []
  const { listTitle, none, actions, command, word } = info
  const head = rows.length === 0 ? `*${listTitle}*\n${none}` : `*${listTitle} (${rows.length})*`
  const shown = rows.toSorted(compareRows).slice(0, MAX_HOME_ROWS)
  const all = commandButton(`${command}-${word}s`, 'Show all', `/${command} ${word}s`)
  return [
    { type: 'divider' },
    isConnected ? sectionWith(head, actions.new.button('New…', {})) : section(head),
    ...(note === undefined ? [] : [section(note)]),
    ...shown.map((row) => rowBlock(info, row, [`*${row.title}*`, ...row.state], { page: 1, nonce: '' })),
    ...(rows.length > MAX_HOME_ROWS
      ? [context(`and ${rows.length - MAX_HOME_ROWS} more`), ...actionRow([all])]
      : []),
  ]
}

/** Reads all kinds of subscriptions for the Home tab. */
export class HomeSubscriptions {
  readonly #services
  readonly #kinds

  constructor(services: Pick<Services, 'guards' | 'log'>, kinds: readonly ListedKind[]) {
    this.#services = services
    this.#kinds = kinds
  }

  /** @param areas that the person may see @throws {StoreError} */
  async read(actor: Actor, areas: readonly Area[], isConnected: boolean): Promise<SubscriptionsPart> {
    const kinds = this.#kinds.filter(({ info }) => areas.includes(info.needs))
    const sections = await Promise.all(
      kinds.map(async ({ info, list, unreadNote }) => {
        const [rows, note] = await Promise.all([list(actor.tenant), unreadNote(actor.tenant)])
        return { info, rows, note }
      }),
    )
    const orphans =
      actor.person.isAdmin && isConnected
        ? (await Promise.all(sections.map((one) => this.#findOrphans(actor, one)))).flat()
        : []
    return {
      orphans: orphanBlocks(orphans),
      sections: sections.flatMap((one) => sectionBlocks(one, isConnected)),
    }
  }

  /** Makes the person owner of all subscriptions whose owner has left. @throws {StoreError} */
  async takeOver(interaction: Interaction): Promise<Answer> {
    const { actor, tenant } = interaction
    const areas = await this.#services.guards.areas(actor)
    const results: string[] = []
    for (const { info, list, turnOn } of this.#kinds.filter(({ info: one }) => areas.includes(one.needs)))
      for (const { id } of await this.#findOrphans(actor, { info, rows: await list(tenant) }))
        results.push(await turnOn(interaction, id))
    return textAnswer(results.length === 0 ? 'Someone already took these over.' : results.join('\n'))
  }

  async #findOrphans({ team }: Actor, { info, rows }: SubscriptionSection): Promise<SubscriptionRow[]> {
    const owners = [...new Set(rows.map(({ owner }) => owner))]
    const isOut = await Promise.all(owners.map((owner) => this.#hasLostAccess(team, owner, info.needs)))
    return rows.filter(({ owner }) => isOut[owners.indexOf(owner)])
  }

  /** False if Slack doesn't say. */
  async #hasLostAccess(team: Actor['team'], owner: string, needs: Area): Promise<boolean> {
    const { guards, log } = this.#services
    try {
      await guards.admit(team, owner, needs, { afresh: false })
      return false
    } catch (error) {
      if (error instanceof NotAllowedError) return true
      log.info({ err: error }, "looking up an owner's access failed")
      return false
    }
  }
}
