import { z } from 'zod'
import { parsePayload, readForm, type ViewPayload } from '../../slack/inbound/payloads.ts'
import { type AccessRecord, type Area, accessRecord, areas } from '../../store/workspaces.ts'
import { joinNames } from '../../util/text.ts'
import { exportsId, peopleId } from './settings-modal.ts'

/** What the modal's inputs hold. */
export interface SettingsForm {
  readonly rules: AccessRecord
  /** Areas for selected people whose people were not asked for yet. */
  readonly unasked: readonly Area[]
}

/**
 * @param before whom the areas were for: where a list is not shown, whom it begins with
 * @throws {ForgedValueError}
 */
export function readSettings(view: ViewPayload, before: AccessRecord): SettingsForm {
  const values = readForm(view, z.record(z.string(), z.unknown()))
  const entries = areas.map((area) => {
    const who = values[area]
    const named = peopleId(area) in values ? (values[peopleId(area)] ?? []) : before[area].people
    return [area, { who, people: who === 'people' ? named : [] }]
  })
  const administrators = values['administrators'] ?? []
  const written = {
    ...Object.fromEntries(entries),
    exports: values[exportsId] ?? before.exports,
    administrators,
  }
  const rules = parsePayload(accessRecord, written, 'the rules of the settings modal')
  const unasked = areas.filter((area) => rules[area].who === 'people' && !(peopleId(area) in values))
  return { rules, unasked }
}

/** The people of each input, by its block's id: those that are shown. */
export const namedPeople = (rules: AccessRecord): ReadonlyMap<string, readonly string[]> =>
  new Map([
    ...areas.flatMap((area) =>
      rules[area].who === 'people' ? [[peopleId(area), rules[area].people] as const] : [],
    ),
    ['administrators', rules.administrators],
  ])

/** Below the inputs that name nobody. */
export const emptyErrors = (rules: AccessRecord): Readonly<Record<string, string>> =>
  Object.fromEntries(
    areas
      .filter((area) => rules[area].who === 'people' && rules[area].people.length === 0)
      .map((area) => [peopleId(area), 'Choose at least one person.']),
  )

const mostNames = 3

/** Below an input with people who can't have access. @param names as other people see them */
export function notMembersText(names: readonly string[]): string {
  const are = names.length === 1 ? "isn't a full member" : "aren't full members"
  const who = `${joinNames(names, { most: mostNames })} ${are}`
  return `${who} of this workspace. Guests, bots and people who left can't be chosen.`
}

/** For the audit log: `calls everyone, billing 2 people, exports admins`. */
export function settingsDetail(rules: AccessRecord): string {
  const details = areas.map((area) => {
    const { who, people } = rules[area]
    return `${area} ${who === 'people' ? `${people.length} people` : who}`
  })
  return [...details, `exports ${rules.exports}`].join(', ')
}

/** For the audit log, which shows people's ids as mentions: `person U1, person U2`. */
export const peopleDetail = (people: readonly string[]): string =>
  people.map((person) => `person ${person}`).join(', ')
