import type { Notices } from '../../slack/answers/notices.ts'
import { escapeText } from '../../slack/blocks/blocks.ts'
import { type InstallationRecord, installationKey } from '../../store/installations.ts'

export const welcomeText = [
  'Thank you for installing Callboard. Three steps, and your team can look up its calls here:',
  '1. Connect your telephony account with its key and secret: `/calls connect`, or the button below. Only admins and owners can.',
  "2. Set a channel's time zone, where it differs from the workspace's: `/calls timezone Europe/Berlin`.",
  '3. Try `/calls`. `/callboard` shows everything else, and `/invite @Callboard` lets it post billing to a channel.',
].join('\n')

/** @param addUrl Slack's page for adding the app to workspaces */
export const organisationWelcomeText = (addUrl: string) =>
  [
    'Thank you for installing Callboard in your organisation. It is in none of its workspaces yet:',
    `1. <${escapeText(addUrl)}|Add it to workspaces>, those that should have it.`,
    '2. In each of them, connect its telephony account with its key and secret: `/calls connect`. Only admins and owners can.',
    '3. Try `/calls` there. `/callboard` shows everything else, and `/invite @Callboard` lets it post billing to a channel.',
  ].join('\n')

/**
 * Writes to the person who installed the app, once for each installation.
 * @param addUrl for an organisation: Slack's page for adding the app to workspaces
 * @throws {StoreError}
 */
export async function tellWelcome(
  notices: Notices,
  record: InstallationRecord,
  addUrl: string | undefined,
): Promise<void> {
  const { enterpriseId, teamId = '', installer, installedAt } = record
  const id = `welcome/${installationKey(record)}/${installedAt}`
  // In an organisation the button would not know which workspace to connect.
  await notices.tell({ enterpriseId, teamId }, installer, id, {
    text: addUrl === undefined ? welcomeText : organisationWelcomeText(addUrl),
    withConnect: teamId !== '',
  })
}
