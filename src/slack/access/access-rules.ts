import { type AccessRecord, type Area, areas } from '../../store/workspaces.ts'
import type { Installation } from './installations.ts'
import type { Person } from './people.ts'

/** `anyone` admits guests, so its routes show nothing of the account. */
export type Needs = 'member' | 'admin' | 'anyone' | 'export' | Area

/** People whom a refused person can ask. */
export interface Managers {
  /** True if the admins and owners of the workspace are administrators, too. */
  readonly hasSlackRoles: boolean
  /** Ids of the installation's administrator and those of the access rules. */
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

/** @param named the administrators of the access rules */
export function listManagers(installation: Installation, named: readonly string[]): Managers {
  const { administrator, hasSlackRoles } = installation
  const people = administrator === undefined ? named : [administrator, ...named]
  return { hasSlackRoles, people: [...new Set(people)] }
}

export function defaultRules(who: 'everyone' | 'admins'): AccessRecord {
  const rule = { who, people: [] }
  return { calls: rule, recordings: rule, agents: rule, billing: rule, exports: who, administrators: [] }
}

/** @param rules needed only for members who aren't administrators */
export function isAllowed(needs: Needs, person: Person, rules: AccessRecord | undefined): boolean {
  if (needs === 'anyone') return true
  if (!person.isMember) return false
  if (needs === 'member' || person.isAdmin) return true
  if (needs === 'admin' || !rules) return false
  if (needs === 'export') return isAllowed('calls', person, rules) && rules.exports === 'everyone'
  const { who, people } = rules[needs]
  return who === 'everyone' || (who === 'people' && people.includes(person.id))
}

export const listAreas = (rules: AccessRecord, person: Person): readonly Area[] =>
  areas.filter((area) => isAllowed(area, person, rules))

/** @returns why the person is refused */
export function findRefusal(
  needs: Needs,
  person: Person,
  rules: AccessRecord | undefined,
  managers: Managers,
): NotAllowedError | undefined {
  if (needs === 'anyone' || isAllowed(needs, person, rules)) return undefined
  if (!person.isMember) return new NotAllowedError('member')
  // Exporting also requires access to calls, so the refusal names that first.
  if (needs === 'export' && !isAllowed('calls', person, rules)) return new NotAllowedError('calls', managers)
  return new NotAllowedError(needs, managers)
}
