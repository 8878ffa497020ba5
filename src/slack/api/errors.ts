/** Slack did not answer, or answered with an error that the person can't mend. */
export class SlackUnavailableError extends Error {
  override readonly name = 'SlackUnavailableError'
}

/** Slack takes the workspace's token no longer: the app was taken out, or its token revoked. */
export class TokenRefusedError extends Error {
  override readonly name = 'TokenRefusedError'
}
