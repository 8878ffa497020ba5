/** What stands in every record of a workspace, so that an answer tells whose it is. */
export const mark = (team: number): string => `W${String(team).padStart(6, '0')}W`

/** The workspaces whose records a message shows. */
export const marksIn = (text: string): readonly string[] => [...new Set(text.match(/W\d{6}W/g) ?? [])]
