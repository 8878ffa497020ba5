import type { Area } from '../../store/workspaces.ts'

/** Slack did not answer, or answered with an error that the person can't mend. */
export class SlackUnavailableError extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(`Slack: ${what}`, options)
    this.name = 'SlackUnavailableError'
  }
}

/** Slack takes the workspace's token no longer: the app was taken out, or its token revoked. */
export class TokenRefusedError extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(`Slack: ${what}`, options)
    this.name = 'TokenRefusedError'
  }
}

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

/** A button, menu or view whose content is not what this app put there. */
export class ForgedValueError extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(`not understood: ${what}`, options)
    this.name = 'ForgedValueError'
  }
}
