import { type AccessRecord, type Area, areas } from '../../store/workspaces.ts'
import type { Installation } from './installations.ts'
import type { Person } from './people.ts'

/** `anyone` admits guests, so its routes show nothing of the account. */
export type Needs = 'member' | 'admin' | 'anyone' | 'export' | Area

export interface Managers {
  /** True if the admins and owners of the workspace are administrators, too. */
  readonly hasSlackRoles: boolean
  /** Ids of the installer and the named administrators. */
  readonly people: readonly string[]
}

export class NotAllowedError extends Error {
  override readonly name = 'NotAllowedError'
  readonly needs
  readonly managers

  constructor(needs: Exclude<Needs, 'anyone'>, managers?: Managers) {
    super(`needs ${needs}`)
    this.needs = needs
    this.managers = managers
  }
}

/** @param administrators people named by other administrators */
export function listManagers(
  { administrator, hasSlackRoles }: Installation,
  administrators: readonly string[],
): Managers {
  const people = new Set(administrator === undefined ? administrators : [administrator, ...administrators])
  return { hasSlackRoles, people: [...people] }
}

export function defaultRules(who: 'everyone' | 'admins'): AccessRecord {
  const rule = { who, people: [] }
  return { calls: rule, recordings: rule, agents: rule, billing: rule, exports: who, administrators: [] }
}

const isArea = (needs: string): needs is Area => areas.some((area) => area === needs)

/** @param person with `isAdmin` also set for administrators that the rules name */
export const areasFor = (rules: AccessRecord, person: Person): readonly Area[] =>
  areas.filter((area) => {
    const { who, people } = rules[area]
    return person.isAdmin || who === 'everyone' || (who === 'people' && people.includes(person.id))
  })

/** @param rules none for admins and owners of the workspace, whom no rule restricts @returns why the person is refused */
export function findRefusal(
  needs: Needs,
  person: Person,
  rules: AccessRecord | undefined,
  managers: Managers,
): NotAllowedError | undefined {
  if (needs === 'anyone') return undefined
  if (!person.isMember) return new NotAllowedError('member')
  if (needs === 'admin' && !person.isAdmin) return new NotAllowedError('admin', managers)
  if (!rules) return undefined
  const area = needs === 'export' ? 'calls' : needs
  if (isArea(area) && !areasFor(rules, person).includes(area)) return new NotAllowedError(area, managers)
  if (needs === 'export' && !person.isAdmin && rules.exports !== 'everyone')
    return new NotAllowedError('export', managers)
  return undefined
}
