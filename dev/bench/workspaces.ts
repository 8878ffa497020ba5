export const botToken = 'xoxb-bench'
export const enterprise = 'E0BENCH'
export const teamId = (n: number): string => `T${String(n).padStart(8, '0')}`

/** What stands in every record of a workspace, so that a message tells whose it shows. */
export const mark = (n: number): string => `W${String(n).padStart(6, '0')}W`

/** The marks in a message. */
export const marksIn = (text: string): readonly string[] => [...new Set(text.match(/W\d{6}W/g) ?? [])]
