import type { Area } from '../../store/workspaces.ts'

/** The workspace that asks has no installation of this app. */
export class NotInstalledError extends Error {
  constructor() {
    super('no installation for this workspace')
    this.name = 'NotInstalledError'
  }
}

/** The workspace has no key and secret yet. */
export class NotConnectedError extends Error {
  constructor() {
    super('the workspace is not connected')
    this.name = 'NotConnectedError'
  }
}

/** The person may not: `member` is for members, `admin` for admins and owners, an area for whom the workspace lets. */
export class NotAllowedError extends Error {
  readonly needs: 'member' | 'admin' | Area

  constructor(needs: 'member' | 'admin' | Area) {
    super(`needs ${needs}`)
    this.name = 'NotAllowedError'
    this.needs = needs
  }
}
