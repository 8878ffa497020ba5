import type { Area } from '../../store/workspaces.ts'

export class NotInstalledError extends Error {
  override readonly name = 'NotInstalledError'
}

export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError'
}

/** The workspace is connected already: there is nothing left to do for a button that offers to connect it. */
export class AlreadyConnectedError extends Error {
  override readonly name = 'AlreadyConnectedError'
}

/** Who manages Callboard in a workspace: connects it, decides who may see what, and looks at who did what. */
export interface Managers {
  /** Whether the workspace's admins and owners are among them: where Slack says who they are. */
  readonly hasSlackRoles: boolean
  /** Ids of whoever installed Callboard and of those whom the managers named. */
  readonly people: readonly string[]
}

/** The person may not: `member` is for members, `admin` for those who manage Callboard, an area or `export` for whom they let. */
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
