import { askShared } from './ask.ts'

/** @returns the URL of an empty database on the PostgreSQL that all files share */
export const createDatabase = (): Promise<string> => askShared('database')
