import type { Area } from '../../store/workspaces.ts'

export class NotInstalledError extends Error {
  override readonly name = 'NotInstalledError'
}

export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError'
}

/** Administrators of Callboard in a workspace. */
export interface Managers {
  /** Whether Slack says who the workspace's admins and owners are: then they are administrators, too. */
  readonly hasSlackRoles: boolean
  /** Ids of the installer and of the people named by administrators. */
  readonly people: readonly string[]
}

/** The person lacks a permission: `member` for members, `admin` for administrators, an area or `export` as the access rules say. */
export class NotAllowedError extends Error {
  override readonly name = 'NotAllowedError'
  readonly needs: 'member' | 'admin' | 'export' | Area

  readonly managers: Managers | undefined

  constructor(needs: 'member' | 'admin' | 'export' | Area, managers?: Managers) {
    super(`needs ${needs}`)
    this.needs = needs
    this.managers = managers
  }
}
