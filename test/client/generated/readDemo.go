// Exchanges a token, reads a page and all changes with it, is rejected, and prints what came of it as JSON.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"reflect"

	openapi "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func main() {
	serviceProvider, crb := os.Getenv("SP_ID"), os.Getenv("CRB_ID")
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	client := openapi.NewAPIClient(configuration)

	request := openapi.NewTokenRequest("client_credentials")
	request.SetClientId(os.Getenv("CLIENT_ID"))
	request.SetClientSecret(os.Getenv("CLIENT_SECRET"))
	token, _, err := client.AuthenticationAPI.ExchangeToken(context.Background()).TokenRequest(*request).Execute()
	check(err)
	caller := context.WithValue(context.Background(), openapi.ContextAPIKeys,
		map[string]openapi.APIKey{"access_auth": {Key: token.AccessToken}})

	customers, _, err := client.CustomersAPI.ListCrbCustomers(caller, serviceProvider, crb).Limit(2).Execute()
	check(err)
	ids := []string{}
	for _, customer := range customers.Data {
		ids = append(ids, customer.Id)
	}

	changes := map[openapi.KindName]map[string]int{}
	for _, kind := range openapi.AllowedKindNameEnumValues {
		changes[kind] = map[string]int{}
		for cursor, more := "", true; more; {
			next := client.ChangesAPI.ListCrbChanges(caller, serviceProvider, crb, kind)
			if cursor != "" {
				next = next.Cursor(cursor)
			}
			page, _, err := next.Execute()
			check(err)
			if page.GetReset() {
				log.Fatal("Nothing was restored.")
			}
			for _, record := range page.Data {
				changes[kind][nameOf(reflect.ValueOf(record))]++
			}
			cursor, more = page.Cursor, page.HasMore
		}
	}

	nobody := "00000000-0000-0000-0000-000000000000"
	_, refusal, _ := client.CustomersAPI.GetCrbCustomer(caller, serviceProvider, crb, nobody).Execute()
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"scopes":    len(*token.Scope.ArrayOfAccessScope),
		"customers": customers.Metadata.Total,
		"ids":       ids,
		"changes":   changes,
		"rejected":  refusal.StatusCode,
	}))
}

// The one of a record's kinds that it is: the others are nil.
func nameOf(record reflect.Value) string {
	for i := range record.NumField() {
		if !record.Field(i).IsNil() {
			return record.Type().Field(i).Name
		}
	}
	return "none"
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
