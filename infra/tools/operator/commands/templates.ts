import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import { onboardingTemplate } from "../../../../shared/api/schemas/onboardingTemplate.ts";
import { putTemplate, readTemplates } from "../../../../shared/domain/onboarding/templates.ts";
import { newProgram } from "../../../cli/program.ts";
import { StageError } from "../../../cli/stageError.ts";
import { serviceProviderArgument } from "../arguments.ts";
import { readJsonFile } from "../jsonFile.ts";
import type { MakeCommand } from "../session.ts";
import { facts, title } from "../terminal.ts";
import { serviceProviderOf } from "./crbOf.ts";

export const publish: MakeCommand = (session) =>
  newProgram(
    "publish",
    "Publishes an onboarding template for a service provider's new CRBs. It replaces a template with the same template_id.",
  )
    .addArgument(serviceProviderArgument())
    .argument(
      "<FILE.json>",
      "holds the template (OnboardingTemplate of docs/openapi.json); ids, dates, names and version are optional",
    )
    .action(async (spId, file) => {
      const { target, print, confirm } = session;
      const { table } = target;
      await serviceProviderOf(table, spId);
      const now = new Date().toISOString();
      const who = userInfo().username;
      const draft = readJsonFile(file, onboardingTemplate, (content) => ({
        template_id: randomUUID(),
        date_created: now,
        created_by: who,
        ...content,
        date_updated: now,
        updated_by: who,
        published_date: now,
        published_by: who,
        version: "",
      }));
      const requirements = draft.document_requirements.map((requirement) => ({
        ...requirement,
        // Lower case, as callers' ids are compared (docs/spec.md#identifiers-times-and-money).
        requirement_id: requirement.requirement_id.toLowerCase(),
      }));
      const requirementIds = requirements.map(({ requirement_id }) => requirement_id);
      if (new Set(requirementIds).size < requirementIds.length) {
        throw new StageError(`${file} has two requirements with the same requirement_id: change one of them.`);
      }
      const templateId = draft.template_id.toLowerCase();
      const before = (await readTemplates(table, spId)).find(({ template_id }) => template_id === templateId);
      if (before) await confirm(`Replace version ${before.version} of ${before.name}?`);
      const version = String((Number(before?.version) || 0) + 1);
      const { date_created, created_by } = before ?? draft;
      await putTemplate(table, spId, {
        ...draft,
        template_id: templateId,
        date_created,
        created_by,
        version,
        document_requirements: requirements,
      });
      print(["Published ", title(draft.name)], ...facts({ template_id: templateId, version }));
    });
