import type { Installation } from '@slack/oauth'
import { escapeText } from '../../slack/blocks/blocks.ts'

/** Slack's own hosts, GovSlack's too, have their admin pages on `app.`; whatever else stands in for Slack has them itself. */
const slackHosts = ['slack.com', 'slack-gov.com']

/**
 * Slack's page on which an organisation's admin adds the app to workspaces: an organisation-wide installation is in none
 * yet. `undefined` for the installation in a workspace.
 * @param apiUrl base of Slack's Web API
 * @see https://api.slack.com/enterprise/apps/reference
 */
export function addToWorkspacesUrl(
  { isEnterpriseInstall, enterprise, appId }: Installation,
  apiUrl: string,
): string | undefined {
  if (!isEnterpriseInstall || !enterprise || appId === undefined) return undefined
  const [id, app] = [enterprise.id, appId].map(encodeURIComponent)
  const url = new URL(`/manage/${id}/integrations/profile/${app}/workspaces/add`, apiUrl)
  if (slackHosts.includes(url.hostname)) url.hostname = `app.${url.hostname}`
  return url.href
}

/** @param addUrl Slack's page for adding the app to workspaces */
export const organisationWelcomeText = (addUrl: string) =>
  [
    "Thanks for installing Callboard in your organisation. It isn't in any of its workspaces yet:",
    `1. <${escapeText(addUrl)}|Add it to workspaces> that should have it.`,
    "2. In each of them, connect its phone account with its API key and secret: `/calls connect`. You're the administrator where you're a member, and name others in the Home tab: Slack doesn't tell Callboard who is an admin of a single workspace.",
    '3. Try `/calls` there. `/callboard` shows everything else.',
  ].join('\n')
