import { exampleIds } from "./examples.ts";

export const exampleRequirement = {
  requirement_id: exampleIds.requirement,
  name: "State cannabis business license",
  description: "Current license of the state's cannabis authority.",
  category: "license",
  required: true,
  archived: false,
  requirement_version: "3",
  status: "pending",
  date_created: "2026-02-11T18:22:40.000Z",
  date_updated: "2026-02-12T16:05:09.000Z",
  documents: [
    {
      id: exampleIds.document,
      status: "pending",
      uploaded_by: "e857f54f-cc4c-4981-9e78-71a37cdd607d",
      uploaded_by_person: null,
      upload_date: "2026-02-12T16:05:09.000Z",
      file_name: "retail-license.pdf",
    },
  ],
} as const;
