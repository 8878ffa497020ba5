import type { PlannedInfo, PlannedList, PlannedRow } from '../../planned/kind.ts'
import type { Services } from '../../services.ts'
import { NotAllowedError } from '../../slack/access/errors.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { actionRow, type Block, context, section } from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import type { Area } from '../../store/workspaces.ts'
import { plannedButtons } from './view.ts'

/** As many of each section are shown, and of what somebody left who is gone. */
const mostShown = 5

/** What is planned of one kind, of what the person may see. */
export interface KindOnHome {
  readonly info: PlannedInfo
  /** With whether whoever set it up has left, or may not see it any more. */
  readonly rows: readonly (PlannedRow & { readonly isOwnerOut: boolean })[]
}

const outText = (owner: string, needs: string) =>
  `⚠ <@${owner}>, who set this up, has left or can't see ${needs} any more. Take it over to keep it going.`

/** What is left of people who are out: to be taken over by the administrator who looks. Pure. */
export function orphanBlocks(kinds: readonly KindOnHome[]): Block[] {
  const all = kinds.flatMap(({ info: { needs, home, actions, muting }, rows }) =>
    rows
      .filter(({ isOwnerOut }) => isOwnerOut)
      .map(({ id, owner, title }): Block[] => [
        section(`*${home.prefix}${title}*\n${outText(owner, needs)}`),
        ...actionRow([(muting?.takeOver ?? actions.resume).button('Take over', { id, page: 1 }, 'primary')]),
      ]),
  )
  return all.length === 0 ? [] : [...all.slice(0, mostShown).flat(), { type: 'divider' }]
}

/** What has stopped by itself stands first, and then what is expected first. */
const inOrder = <T extends PlannedRow>(rows: readonly T[]): readonly T[] =>
  rows.toSorted((one, other) => Number(other.isFailing) - Number(one.isFailing) || one.at - other.at)

/**
 * What goes to channels by itself, of the kinds that stand in one section. Pure.
 * @param isMixed whether others stand there that the person may not see
 * @param isAdmin what can be set up is offered
 */
function sectionBlocks(
  title: string,
  kinds: readonly KindOnHome[],
  isMixed: boolean,
  isAdmin: boolean,
): Block[] {
  const all = kinds.flatMap(({ info, rows }) => rows.map((row) => ({ ...row, info })))
  if (all.length === 0 && !isAdmin) return []
  const rows = inOrder(all)
    .slice(0, mostShown)
    .flatMap(({ info, ...row }): Block[] => [
      section([`*${isMixed ? info.home.prefix : ''}${row.title}*`, ...row.state].join('\n')),
      plannedButtons(info, row),
    ])
  const buttons = kinds.flatMap(({ info: { home, actions, command, word }, rows: own }) => [
    ...(isAdmin ? [actions.new.button(home.new, {})] : []),
    ...(own.length > 0 ? [commandButton(home.manage.id, home.manage.text, `/${command} ${word}s`)] : []),
  ])
  const others = all.length - mostShown
  return [
    section(`*${title} (${all.length})*`),
    ...rows,
    ...(others > 0 ? [context(`and ${others} more`)] : []),
    ...actionRow(buttons),
  ]
}

/** @param infos of all kinds, whether the person may see them or not */
export function plannedBlocks(
  infos: readonly PlannedInfo[],
  kinds: readonly KindOnHome[],
  isAdmin: boolean,
): Block[] {
  const sections = Map.groupBy(infos, ({ home }) => home.section)
  return [...sections].flatMap(([title, all]) => {
    const own = kinds.filter(({ info }) => info.home.section === title)
    return own.length === 0 ? [] : sectionBlocks(title, own, all.length > 1, isAdmin)
  })
}

/** What stands on the home tab of what goes to channels by itself, of all kinds. */
export class PlannedOnHome {
  readonly #guards
  readonly #log
  readonly #kinds

  constructor({ guards, log }: Pick<Services, 'guards' | 'log'>, kinds: readonly PlannedList[]) {
    this.#guards = guards
    this.#log = log
    this.#kinds = kinds
  }

  /** @param may what the person may see @throws {StoreError} */
  async blocksFor(
    actor: Actor,
    may: readonly Area[],
    isConnected: boolean,
  ): Promise<{ readonly orphans: readonly Block[]; readonly planned: readonly Block[] }> {
    const { tenant, person } = actor
    const own = this.#kinds.filter(({ info }) => may.includes(info.needs))
    const lists = await Promise.all(
      own.map(async (kind) => ({ info: kind.info, rows: await kind.list(tenant) })),
    )
    const owners = lists.flatMap(({ info: { needs }, rows }) => rows.map(({ owner }) => ({ owner, needs })))
    const out = person.isAdmin ? await this.#outOf(actor, owners) : new Set()
    const kinds = lists.map(({ info, rows }) => ({
      info,
      rows: rows.map((row) => ({ ...row, isOwnerOut: out.has(`${info.needs} ${row.owner}`) })),
    }))
    const isAdmin = person.isAdmin && isConnected
    const infos = this.#kinds.map(({ info }) => info)
    return { orphans: isAdmin ? orphanBlocks(kinds) : [], planned: plannedBlocks(infos, kinds, isAdmin) }
  }

  /** Whoever may not see what is told in their name any more. Where Slack doesn't say, nobody. */
  async #outOf(
    { team }: Actor,
    owners: readonly { readonly owner: string; readonly needs: Area }[],
  ): Promise<ReadonlySet<string>> {
    const distinct = new Map(owners.map((one) => [`${one.needs} ${one.owner}`, one]))
    const isOut = async ({ owner, needs }: (typeof owners)[number]) => {
      try {
        await this.#guards.admit(team, owner, needs, { afresh: false })
        return false
      } catch (error) {
        if (error instanceof NotAllowedError) return true
        this.#log.info({ err: error }, 'whether an owner may still see it is not known')
        return false
      }
    }
    const answers = await Promise.all(
      [...distinct].map(async ([key, one]) => ((await isOut(one)) ? [key] : [])),
    )
    return new Set(answers.flat())
  }
}
