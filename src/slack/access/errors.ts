import type { Area } from '../../store/workspaces.ts'

/** The workspace that asks has no installation of this app. */
export class NotInstalledError extends Error {
  override readonly name = 'NotInstalledError'
}

/** The workspace has no key and secret yet. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError'
}

/** The person may not: `member` is for members, `admin` for admins and owners, an area for whom the workspace lets. */
export class NotAllowedError extends Error {
  override readonly name = 'NotAllowedError'
  readonly needs: 'member' | 'admin' | Area

  constructor(needs: 'member' | 'admin' | Area) {
    super(`needs ${needs}`)
    this.needs = needs
  }
}
