import type { Notice } from '../../slack/deliver/notices.ts'

// What people are told whose alerts are on hold: why, and what to do.

const manageAlerts = { id: 'alerts', text: 'Manage alerts', command: '/calls alerts' }

/** @param why mrkdwn */
export const stoppedNotice = (channel: string, why: string): Notice => ({
  text: `Missed-call alerts in <#${channel}> have stopped. ${why} The alerts resume by themselves once that's fixed.`,
  command: manageAlerts,
})

/** @param channels of the alerts @param since as people read it; none: there never was any */
export const noNewsNotice = (
  channels: readonly string[],
  why: string,
  since: string | undefined,
): Notice => ({
  text: `I couldn't check for missed calls${since === undefined ? '' : ` since ${since}`}, so alerts in ${channels.map((id) => `<#${id}>`).join(', ')} are on hold. ${why} The alerts resume by themselves once that's fixed.`,
  command: manageAlerts,
})
